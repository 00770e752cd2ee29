import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// snippet

struct Post: Codable, Sendable {
    let id: Int
}
