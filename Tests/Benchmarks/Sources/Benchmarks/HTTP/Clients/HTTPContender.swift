import Foundation

/// A client of HTTP, used as its documentation shows it.
protocol HTTPContender: Sendable {
    var name: String { get }
    var role: Contender.Role { get }

    /// The status and the small body of what is at `url`.
    func get(_ url: URL) async throws -> (status: Int, body: Data)

    /// The status and the JSON of what is at `url`, decoded.
    func posts(_ url: URL) async throws -> (status: Int, posts: [Post])

    /// The status and the body of the answer to JSON.
    func post(_ json: Data, to url: URL) async throws -> (status: Int, body: Data)

    // Large transfers are checked later, when the clock has stopped.

    func downloadToMemory(_ url: URL) async throws -> TransferCheck
    func download(_ url: URL, to file: URL) async throws -> TransferCheck
    func upload(_ data: Data, to url: URL) async throws -> TransferCheck
    func upload(file: URL, to url: URL) async throws -> TransferCheck

    /// Closes all connections.
    func shutDown() async
}

/// An element of the server's list.
struct Post: Decodable, Sendable {
    let userId: Int
    let id: Int
    let title: String
    let body: String
}

/// A client returned something that can't be compared.
struct NoHTTPResponse: Error {}
