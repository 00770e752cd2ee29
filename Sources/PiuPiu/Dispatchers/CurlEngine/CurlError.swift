#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    public import Foundation

    /// What libcurl has reported: the ``TransferError/underlyingError`` of failures of a ``CurlEngine``.
    public struct CurlError: LocalizedError, CustomStringConvertible {
        /// The number of a `CURLcode`, which libcurl's documentation explains.
        public let code: Int32

        /// What libcurl says in words, in English.
        public let message: String

        private let systemError: Int

        /// What a transfer has ended with.
        init(_ code: Int32, in transfer: OpaquePointer) {
            let message = String(cString: piu_transfer_message(transfer))
            self.code = code
            self.message = message.isEmpty ? String(cString: piu_result_text(code)) : message
            systemError = piu_transfer_number(transfer, Int32(PIU_OS_ERRNO))
        }

        /// The words and the number.
        public var errorDescription: String? { description }

        /// The words and the number.
        public var description: String { "\(message) (libcurl \(code))" }

        /// The kind of failure that it is.
        var kind: TransferError.Kind {
            switch Int(code) {
            case PIU_COULDNT_CONNECT, PIU_COULDNT_RESOLVE_PROXY: .cannotConnect
            case PIU_COULDNT_RESOLVE_HOST: .hostNotFound
            case PIU_OPERATION_TIMEDOUT: .timedOut
            case PIU_PARTIAL_FILE: .truncated
            case PIU_GOT_NOTHING, PIU_SEND_ERROR, PIU_HTTP2, PIU_HTTP2_STREAM, PIU_ABORTED_BY_CALLBACK,
                PIU_SEND_FAIL_REWIND:
                .connectionLost
            case PIU_RECV_ERROR: isMalformed ? .badResponse : .connectionLost
            case PIU_UNSUPPORTED_PROTOCOL, PIU_WEIRD_SERVER_REPLY, PIU_BAD_CONTENT_ENCODING, PIU_FILESIZE_EXCEEDED,
                PIU_TOO_LARGE, PIU_WRITE_ERROR, PIU_BAD_FUNCTION_ARGUMENT:
                .badResponse
            case PIU_URL_MALFORMAT: .unsupportedURL
            case PIU_SSL_CONNECT_ERROR, PIU_SSL_ENGINE_NOTFOUND, PIU_SSL_ENGINE_SETFAILED, PIU_SSL_CERTPROBLEM,
                PIU_SSL_CIPHER, PIU_PEER_FAILED_VERIFICATION, PIU_SSL_CACERT_BADFILE, PIU_SSL_SHUTDOWN_FAILED,
                PIU_SSL_CRL_BADFILE, PIU_SSL_ISSUER_ERROR, PIU_SSL_PINNEDPUBKEYNOTMATCH, PIU_SSL_INVALIDCERTSTATUS,
                PIU_SSL_CLIENTCERT:
                .secureConnectionFailed
            default: .other
            }
        }

        /// Whether the connection was given up because of what came over it: a chunk or a head that is none. They have the
        /// number of a connection that breaks, and only the text tells them apart, where the system knows of no error.
        private var isMalformed: Bool {
            systemError == 0 && (message.contains("chunk") || message.contains("header"))
        }
    }
#endif
