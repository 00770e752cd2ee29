import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
final class PostScreen {
    func show(_ post: Post) {}
    func show(_ error: any Error) {}

    func load(_ request: URLRequest) async {
        // snippet
    }
}

nonisolated struct Post: Codable, Sendable {
    let id: Int
}

let dispatcher = URLRequestDispatcher()
