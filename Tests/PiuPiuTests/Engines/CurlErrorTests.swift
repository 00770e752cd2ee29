#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    @Suite("Errors of libcurl", .timeLimit(.minutes(10)))
    struct CurlErrorTests {
        @Test(
            "A break after the handshake, of which only the text is known, doesn't prove that nothing was sent",
            arguments: [
                "OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
                "OpenSSL SSL_write: Broken pipe, errno 32",
                "GnuTLS recv error (-110): The TLS connection was non-properly terminated.",
            ])
        func brokenAfterHandshake(text: String) {
            let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
            #expect(!TransferError(error, url: nil).isUnsent)
        }

        @Test(
            "The text of a broken connection says what has broken",
            arguments: [
                ("Recv failure: Connection reset by peer", .connectionLost),
                ("Failure when receiving data from the peer", .connectionLost),
                ("Illegal or missing hexadecimal sequence in chunked-encoding", .badResponse),
                ("OpenSSL SSL_read: tlsv13 alert certificate required, errno 0", .clientCertificateRequired),
                ("CONNECT tunnel failed, response 403", .cannotConnect),
            ] as [(String, TransferError.Kind)])
        func receiveError(text: String, kind: TransferError.Kind) {
            #expect(CurlError(56, text, requestSize: 100).kind == kind)
        }

        @Test(
            "Words in the name of a host don't decide the kind of a failure of TLS",
            arguments: [
                (
                    60, "SSL: no alternative certificate subject name matches target host name 'alertmanager.test'",
                    .wrongHost
                ),
                (
                    60, "SSL: certificate subject name 'issuer.test' does not match target host name 'alert.test'",
                    .wrongHost
                ),
                (
                    35, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to issuer.test:18666", .cannotConnect
                ),
                (
                    35, "OpenSSL SSL_connect: Connection reset by peer in connection to alert-certificate.test:443 ",
                    .cannotConnect
                ),
                (
                    35, "OpenSSL SSL_connect: SSL_ERROR_ZERO_RETURN in connection to ssl_error_syscall.test:443 ",
                    .secureConnectionFailed
                ),
            ] as [(Int32, String, TransferError.Kind)])
        func hosts(code: Int32, text: String, kind: TransferError.Kind) {
            #expect(CurlError(code, text, requestSize: 0).kind == kind)
            // `URLSession` gives no code.
            let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
            #expect(TransferError(error, url: nil).kind == kind)
        }

        @Test(
            "A connection that breaks during the handshake is none; a refusal by the server is another failure",
            arguments: [
                ("OpenSSL SSL_connect: Broken pipe in connection to a.test:443 ", .cannotConnect),
                ("OpenSSL SSL_connect: Connection timed out in connection to a.test:443 ", .cannotConnect),
                ("error:0A000126:SSL routines::unexpected eof while reading", .cannotConnect),
                ("TLS connect error: error:00000000:lib(0)::reason(0)", .cannotConnect),
                ("gnutls_handshake() failed: The TLS connection was non-properly terminated.", .cannotConnect),
                ("gnutls_handshake() failed: Error in the pull function.", .cannotConnect),
                ("error:0A00010B:SSL routines::wrong version number", .secureConnectionFailed),
                ("error:0A000410:SSL routines::sslv3 alert handshake failure", .secureConnectionFailed),
            ] as [(String, TransferError.Kind)])
        func brokenHandshake(text: String, kind: TransferError.Kind) {
            #expect(CurlError(35, text, requestSize: 0).kind == kind)
        }

        @Test("A request that may not be sent again says why, unless it is known what has broken")
        func refusedRepeat() {
            let broken = "Recv failure: Connection reset by peer"
            let texts = ["operation aborted by pre-request callback": "why", broken: broken]
            for (text, explained) in texts {
                let error = CurlError(42, text, requestSize: 100).explained(by: "why")
                #expect(error.message == explained && error.code == 42 && error.kind == .connectionLost)
            }
        }

        @Test("Too long a head is the server's fault only if it is that of an answer")
        func outOfMemory() {
            #expect(CurlError(27, "Out of memory", requestSize: 100).kind == .badResponse)
            #expect(CurlError(27, "Out of memory", requestSize: 0).kind == .other)
        }
    }
#endif
