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
}
