import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import PiuPiu

extension TransferError {
    /// What a failure of the client means to the caller. What the body's chunks throw is passed on as it is.
    static func of(_ error: any Error, url: URL?, hasHead: Bool) -> any Error {
        switch error {
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        default: kind(of: error, hasHead: hasHead).map { TransferError($0, url: url, underlyingError: error) } ?? error
        }
    }

    /// What the system says when there is no connection, rather than none any more.
    private static let unreachable = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, EADDRNOTAVAIL, EMFILE, ENFILE]

    private static func kind(of error: any Error, hasHead: Bool) -> Kind? {
        switch error {
        case let error as NIOConnectionError: error.connectionErrors.isEmpty ? .hostNotFound : .cannotConnect
        case let error as HTTPClientError: kind(ofClientError: error, hasHead: hasHead)
        case HTTPParserError.invalidEOFState: hasHead ? .truncated : .connectionLost
        case is HTTPParserError, is NIOHTTPDecompression.DecompressionError: .badResponse
        case is NIOHTTPDecompression.ExtraDecompressionError: .badResponse
        case ChannelError.connectTimeout: .cannotConnect
        case let error as IOError: unreachable.contains(error.errnoCode) ? .cannotConnect : .connectionLost
        case is ChannelError: .connectionLost
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .secureConnectionFailed
        default: nil
        }
    }

    private static func kind(ofClientError error: HTTPClientError, hasHead: Bool) -> Kind {
        switch error {
        case .remoteConnectionClosed: hasHead ? .truncated : .connectionLost
        case .readTimeout, .writeTimeout: .timedOut
        case .connectTimeout: .cannotConnect
        case .tlsHandshakeTimeout: .secureConnectionFailed
        case .bodyLengthMismatch: .unreadableBody
        default: .other
        }
    }
}
