import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// PiuPiu's transfers from and to files.
enum PiuPiuTransfers {
    /// Downloads to a file, and gives the status.
    static func download(
        _ request: URLRequest, to file: URL, with dispatcher: URLRequestDispatcher
    ) async throws -> Int {
        try await dispatcher.downloadFuture(from: request, to: file).value.urlResponse.status
    }

    /// Uploads from memory, and gives the status and the body of the response.
    static func upload(
        _ data: Data, by request: URLRequest, with dispatcher: URLRequestDispatcher
    ) async throws -> (status: Int, reply: Data) {
        let response = try await dispatcher.uploadFuture(from: request, with: data).value
        return (try response.urlResponse.status, response.data ?? Data())
    }

    /// Uploads from a file, and gives the status and the body of the response.
    static func upload(
        file: URL, by request: URLRequest, with dispatcher: URLRequestDispatcher
    ) async throws -> (status: Int, reply: Data) {
        let response = try await dispatcher.uploadFuture(from: request, withFile: file).value
        return (try response.urlResponse.status, response.data ?? Data())
    }
}
