#if canImport(FoundationNetworking)
    import PiuPiu
    import Testing

    @Suite("Errors of libcurl", .timeLimit(.minutes(10)))
    struct CurlErrorTests {
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
