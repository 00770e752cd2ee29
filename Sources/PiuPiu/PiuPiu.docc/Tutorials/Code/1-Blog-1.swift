import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Post: Codable, Sendable { let id: Int, userId: Int, title: String }
struct User: Codable, Sendable { let id: Int, name: String }
