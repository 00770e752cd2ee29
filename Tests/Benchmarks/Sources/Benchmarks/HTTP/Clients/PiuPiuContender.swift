import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// PiuPiu's dispatcher, over the engine that it is made with.
struct PiuPiuContender: HTTPContender {
    static let standardName = "PiuPiu"

    let name: String
    let role = Contender.Role.piuPiu
    private let dispatcher: URLRequestDispatcher

    init(name: String, dispatcher: URLRequestDispatcher) {
        self.name = name
        self.dispatcher = dispatcher
    }

    func get(_ url: URL) async throws -> (status: Int, body: Data) {
        let response = try await dispatcher.dataFuture(from: URLRequest(url: url, method: .get)).value
        return (response.head.status ?? 0, response.data ?? Data())
    }

    func posts(_ url: URL) async throws -> (status: Int, posts: [Post]) {
        let request = URLRequest(url: url, method: .get)
        let response = try await dispatcher.dataFuture(from: request).decoded([Post].self).value
        return (response.head.status ?? 0, response.data)
    }

    func post(_ json: Data, to url: URL) async throws -> (status: Int, body: Data) {
        var request = Self.uploadRequest(url)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let response = try await dispatcher.uploadFuture(from: request, with: json).value
        return (response.head.status ?? 0, response.data ?? Data())
    }

    func downloadToMemory(_ url: URL) async throws -> TransferCheck {
        let (status, body) = try await get(url)
        return { .memory(status: status, body) }
    }

    func download(_ url: URL, to file: URL) async throws -> TransferCheck {
        let status = try await PiuPiuTransfers.download(URLRequest(url: url, method: .get), to: file, with: dispatcher)
        return { try .file(status: status, file) }
    }

    func upload(_ data: Data, to url: URL) async throws -> TransferCheck {
        let (status, reply) = try await PiuPiuTransfers.upload(data, by: Self.uploadRequest(url), with: dispatcher)
        return { try .sink(status: status, reply) }
    }

    func upload(file: URL, to url: URL) async throws -> TransferCheck {
        let (status, reply) = try await PiuPiuTransfers.upload(
            file: file, by: Self.uploadRequest(url), with: dispatcher)
        return { try .sink(status: status, reply) }
    }

    func shutDown() async {
        dispatcher.finishTasksAndInvalidate()
    }

    private static func uploadRequest(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url, method: .post)
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        return request
    }
}
