import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable {
    let title: String, userId: Int
}

struct User: Codable, Sendable {
    let name: String
}

func user(_ id: Int) -> ResponseFuture<User> { ResponseFuture(result: User(name: "")) }

@MainActor
func load(_ request: URLRequest) {
    let dispatcher = URLRequestDispatcher()
    // snippet
}
