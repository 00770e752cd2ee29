import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable { let id: Int, userId: Int, title: String }
struct User: Codable, Sendable { let id: Int, name: String }

struct Blog: Sendable {
    let dispatcher: any DataDispatcher
    let server: URL
}
