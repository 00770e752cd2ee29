import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable { let id: Int, userId: Int, title: String }
nonisolated struct User: Codable, Sendable { let id: Int, name: String }

struct Blog: Sendable {
    let dispatcher: any DataDispatcher
    let server: URL

    func post(_ id: Int) -> ResponseFuture<Response<Data?>> {
        dispatcher
            .dataFuture(from: URLRequest(url: server.appending(path: "posts/\(id)"), method: .get))
    }
}
