import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import PiuPiu

extension TransferError.Kind {
    /// What a failure of the client means.
    init(_ error: any Error, afterHead: Bool) {
        self =
            switch error {
            case let error as NIOConnectionError: error.connectionErrors.isEmpty ? .hostNotFound : .cannotConnect
            case let error as HTTPClientError: Self(ofClientError: error, afterHead: afterHead)
            case HTTPParserError.invalidEOFState: afterHead ? .truncated : .connectionLost
            case is HTTPParserError, is NIOHTTPDecompression.DecompressionError: .badResponse
            case is NIOHTTPDecompression.ExtraDecompressionError: .badResponse
            case ChannelError.connectTimeout: .cannotConnect
            case let error as IOError: Self.unreachable.contains(error.errnoCode) ? .cannotConnect : .connectionLost
            case is ChannelError: .connectionLost
            case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .secureConnectionFailed
            default: .other
            }
    }

    /// What the system says when there is no connection, rather than none any more.
    private static let unreachable = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, EMFILE, ENFILE]

    private init(ofClientError error: HTTPClientError, afterHead: Bool) {
        self =
            switch error {
            case .remoteConnectionClosed: afterHead ? .truncated : .connectionLost
            case .readTimeout, .writeTimeout: .timedOut
            case .connectTimeout: .cannotConnect
            case .tlsHandshakeTimeout: .secureConnectionFailed
            case .bodyLengthMismatch: .unreadableBody
            default: .other
            }
    }
}
