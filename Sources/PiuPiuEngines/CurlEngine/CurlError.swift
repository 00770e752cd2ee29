#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    public import Foundation

    /// An error of libcurl: the ``TransferError/underlyingError`` of failures of a ``CurlEngine``.
    public struct CurlError: LocalizedError, CustomStringConvertible {
        /// The number of a `CURLcode`; see libcurl's documentation.
        public let code: Int32

        /// libcurl's text, in English. If the engine has kept libcurl from sending a request again, the text says why.
        public let message: String

        private let requestSize: Int64
        private let verification: Int64

        /// The error of a transfer.
        init(_ code: Int32, in transfer: OpaquePointer) {
            let message = Self.withoutAddress(String(cString: piu_transfer_message(transfer)), of: code)
            self.init(
                code, message.isEmpty ? String(cString: piu_result_text(code)) : message,
                requestSize: piu_transfer_number(transfer, CurlInfo.requestSize.rawValue),
                verification: piu_transfer_number(transfer, CurlInfo.sslVerifyResult.rawValue))
        }

        /// An error with libcurl's text.
        ///
        /// - Parameters:
        ///   - requestSize: how many bytes of heads of requests were sent.
        ///   - verification: see `kindOfVerification`.
        package init(_ code: Int32, _ message: String, requestSize: Int64, verification: Int64 = 0) {
            self.code = code
            self.message = message
            self.requestSize = requestSize
            self.verification = verification
        }

        /// The same error with this reason, if libcurl was kept from sending a request again: its own text only says
        /// that a callback has done so, unless it has said before what has broken.
        package func explained(by reason: @autoclosure () -> String) -> CurlError {
            guard code == CurlCode.abortedByCallback.rawValue, message.hasSuffix("pre-request callback") else {
                return self
            }
            return CurlError(code, reason(), requestSize: requestSize, verification: verification)
        }

        /// The text of an error about a proxy without its address, which may contain a password. As a password may
        /// contain quotes, and long texts are cut off, nothing after the opening quote is kept.
        private static func withoutAddress(_ message: String, of code: Int32) -> String {
            let ofProxies: [CurlCode] = [.notBuiltIn, .proxyNotFound, .cannotConnect]
            guard ofProxies.contains(where: { $0.rawValue == code }), let quote = message.firstRange(of: " '") else {
                return message
            }
            return message[..<quote.upperBound] + "…'"
        }

        /// The text and the number.
        public var errorDescription: String? { description }

        /// The text and the number.
        public var description: String { "\(message) (libcurl \(code))" }

        /// The kind of the failure.
        package var kind: TransferError.Kind {
            switch CurlCode(rawValue: code) {
            case .cannotConnect, .proxyNotFound, .proxyHandshake: .cannotConnect
            case .hostNotFound: .hostNotFound
            case .timedOut: .timedOut
            case .partialFile: .truncated
            case .gotNothing, .sendError, .http2, .http2Stream, .abortedByCallback, .sendFailRewind: .connectionLost
            // The number of a broken connection has other causes, too. The last error of the system may be an older
            // one: of another address of the host, which refused.
            case .receiveError: .ofBreak(text: message)
            case .unsupportedProtocol, .weirdServerReply, .badContentEncoding, .fileSizeExceeded, .tooLarge,
                .writeError, .badFunctionArgument:
                .badResponse
            // libcurl's text for a line of a head that is longer than 100 KiB is that there is no memory; the same for
            // the head of a request above 1 MiB, which it doesn't send.
            case .outOfMemory: requestSize > 0 ? .badResponse : .other
            case .malformedURL: .unsupportedURL
            case .peerFailedVerification, .sslIssuerError: kindOfVerification
            case .pinnedPublicKeyMismatch: .pinMismatch
            case .sslClientCertificate: .clientCertificateRequired
            case .sslConnectError: .ofHandshake(text: message)
            // A given file, or one of the system, can't be read, or two don't match.
            case .sslCertificateProblem, .authoritiesUnreadable, .sslRevocationListUnreadable, .sslEngineNotFound,
                .sslEngineSetFailed:
                .unsupportedSetting
            case .sslCipher, .sslShutdownFailed, .sslInvalidCertificateStatus: .secureConnectionFailed
            case .ok, .notBuiltIn, nil: .other
            }
        }

        /// Whether no head of a request was sent, not even to a proxy.
        var isUnsent: Bool { requestSize == 0 }

        /// Whether the connection, or the stream on it, broke: perhaps only for the request's body.
        var isBreakOfSending: Bool {
            switch CurlCode(rawValue: code) {
            case .sendError: true
            // A malformed response has this number, too.
            case .receiveError: kind != .badResponse
            // A server may reset a stream to stop the request's body. A protocol error is about the response.
            case .http2Stream: !message.contains("PROTOCOL_ERROR")
            default: false
            }
        }

        /// The fault of the server's certificate, by libcurl's number from OpenSSL (`X509_V_ERR_…`) or GnuTLS (bits of
        /// `gnutls_certificate_status_t`; its bits for dates are larger than any number of OpenSSL).
        private var kindOfVerification: TransferError.Kind {
            let (notYetValid, expired): (Int64, Int64) = (9, 10)
            let otherHost: ClosedRange<Int64> = 62...64
            let dateBits: Int64 = 512 | 1024
            return switch verification {
            // The TLS library has no result (libcurl has 1 until it asks): libcurl itself found the fault, and names
            // it.
            case 0, 1: .ofHandshake(text: message)
            case notYetValid, expired: .certificateExpired
            case otherHost: .wrongHost
            case 256...: verification & dateBits != 0 ? .certificateExpired : .untrustedAuthority
            default: .untrustedAuthority
            }
        }
    }
#endif
