#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    public import Foundation

    /// What libcurl has reported: the ``TransferError/underlyingError`` of failures of a ``CurlEngine``.
    public struct CurlError: LocalizedError, CustomStringConvertible {
        /// The number of a `CURLcode`, which libcurl's documentation explains.
        public let code: Int32

        /// What libcurl says in words, in English.
        public let message: String

        private let systemError: Int64
        private let verification: Int64

        /// What a transfer has ended with.
        init(_ code: Int32, in transfer: OpaquePointer) {
            let message = String(cString: piu_transfer_message(transfer))
            self.code = code
            self.message = message.isEmpty ? String(cString: piu_result_text(code)) : message
            systemError = piu_transfer_number(transfer, CurlInfo.systemError.rawValue)
            verification = piu_transfer_number(transfer, CurlInfo.sslVerifyResult.rawValue)
        }

        /// The words and the number.
        public var errorDescription: String? { description }

        /// The words and the number.
        public var description: String { "\(message) (libcurl \(code))" }

        /// The kind of failure that it is.
        var kind: TransferError.Kind {
            switch CurlCode(rawValue: code) {
            case .cannotConnect, .proxyNotFound, .proxyHandshake: .cannotConnect
            case .hostNotFound: .hostNotFound
            case .timedOut: .timedOut
            case .partialFile: .truncated
            case .gotNothing, .sendError, .http2, .http2Stream, .abortedByCallback, .sendFailRewind: .connectionLost
            // The number of a connection that breaks stands for more, where the system knows of no error.
            case .receiveError: systemError == 0 ? .ofBreak(text: message) : .connectionLost
            case .unsupportedProtocol, .weirdServerReply, .badContentEncoding, .fileSizeExceeded, .tooLarge,
                .writeError, .badFunctionArgument:
                .badResponse
            case .malformedURL: .unsupportedURL
            case .peerFailedVerification, .sslIssuerError: kindOfVerification
            case .pinnedPublicKeyMismatch: .pinMismatch
            case .sslClientCertificate: .clientCertificateRequired
            case .sslConnectError: .ofHandshake(text: message)
            // What was given, or the system has, can't be read or doesn't go together.
            case .sslCertificateProblem, .authoritiesUnreadable, .sslRevocationListUnreadable, .sslEngineNotFound,
                .sslEngineSetFailed:
                .unsupportedSetting
            case .sslCipher, .sslShutdownFailed, .sslInvalidCertificateStatus: .secureConnectionFailed
            case .ok, nil: .other
            }
        }

        /// What is wrong with the server's certificate, by the number that libcurl has from OpenSSL (`X509_V_ERR_…`) or
        /// GnuTLS (bits of `gnutls_certificate_status_t`, of which those for dates are larger than any number of OpenSSL's).
        private var kindOfVerification: TransferError.Kind {
            let (notYetValid, expired): (Int64, Int64) = (9, 10)
            let otherHost: ClosedRange<Int64> = 62...64
            let dateBits: Int64 = 512 | 1024
            return switch verification {
            // No finding of theirs, which libcurl has as 1 until it asks: it has found out itself, and says what.
            case 0, 1: .ofHandshake(text: message)
            case notYetValid, expired: .certificateExpired
            case otherHost: .wrongHost
            case 256...: verification & dateBits != 0 ? .certificateExpired : .untrustedAuthority
            default: .untrustedAuthority
            }
        }
    }
#endif
