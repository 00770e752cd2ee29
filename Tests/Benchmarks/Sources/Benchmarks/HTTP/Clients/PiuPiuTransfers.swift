import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// PiuPiu's transfers from and to files, put together from requests whose bodies are in memory.
enum PiuPiuTransfers {
    /// Downloads to a file, and gives the status.
    static func download(
        _ request: URLRequest, to file: URL, with dispatcher: URLRequestDispatcher
    ) async throws -> Int {
        let response = try await dispatcher.dataFuture(from: request).value
        try (response.data ?? Data()).write(to: file, options: .atomic)
        return try response.urlResponse.status
    }

    /// Uploads from memory, and gives the status and the body of the response.
    static func upload(
        _ data: Data, by request: URLRequest, with dispatcher: URLRequestDispatcher
    ) async throws -> (status: Int, reply: Data) {
        var request = request
        request.httpBody = data
        let response = try await dispatcher.dataFuture(from: request).value
        return (try response.urlResponse.status, response.data ?? Data())
    }

    /// Uploads from a file, and gives the status and the body of the response.
    static func upload(
        file: URL, by request: URLRequest, with dispatcher: URLRequestDispatcher
    ) async throws -> (status: Int, reply: Data) {
        try await upload(Data(contentsOf: file), by: request, with: dispatcher)
    }
}
