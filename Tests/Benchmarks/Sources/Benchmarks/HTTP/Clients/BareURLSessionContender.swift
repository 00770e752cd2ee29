import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `URLSession` and its `async` methods. (Never cancelled: on Linux that can deadlock.)
struct BareURLSessionContender: HTTPContender {
    static let standardName = "bare `URLSession`"

    let name = standardName
    let role = Contender.Role.yardstick
    private let session = URLSession(configuration: .ephemeral)

    func get(_ url: URL) async throws -> (status: Int, body: Data) {
        let (data, response) = try await session.data(for: URLRequest(url: url))
        return (try response.status, data)
    }

    func posts(_ url: URL) async throws -> (status: Int, posts: [Post]) {
        let (data, response) = try await session.data(for: URLRequest(url: url))
        return (try response.status, try JSONDecoder().decode([Post].self, from: data))
    }

    func post(_ json: Data, to url: URL) async throws -> (status: Int, body: Data) {
        var request = Self.uploadRequest(url)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (body, response) = try await session.upload(for: request, from: json)
        return (try response.status, body)
    }

    func downloadToMemory(_ url: URL) async throws -> TransferCheck {
        let (data, response) = try await session.data(for: URLRequest(url: url))
        let status = try response.status
        return { .memory(status: status, data) }
    }

    func download(_ url: URL, to file: URL) async throws -> TransferCheck {
        let (temporary, response) = try await session.download(for: URLRequest(url: url))
        try FileManager.default.moveItem(at: temporary, to: file)
        let status = try response.status
        return { try .file(status: status, file) }
    }

    func upload(_ data: Data, to url: URL) async throws -> TransferCheck {
        let (reply, response) = try await session.upload(for: Self.uploadRequest(url), from: data)
        let status = try response.status
        return { try .sink(status: status, reply) }
    }

    func upload(file: URL, to url: URL) async throws -> TransferCheck {
        let (reply, response) = try await session.upload(for: Self.uploadRequest(url), fromFile: file)
        let status = try response.status
        return { try .sink(status: status, reply) }
    }

    func shutDown() async {
        session.finishTasksAndInvalidate()
    }

    private static func uploadRequest(_ url: URL) -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        return request
    }
}

extension URLResponse {
    /// The status of an HTTP response.
    var status: Int {
        get throws {
            guard let response = self as? HTTPURLResponse else { throw NoHTTPResponse() }
            return response.statusCode
        }
    }
}
