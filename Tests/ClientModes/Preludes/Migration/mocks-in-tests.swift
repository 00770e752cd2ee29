import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PostService {
    let dispatcher: any DataDispatcher

    func title(ofPost id: Int) async throws -> String { "" }
}

func testPost() async throws {
    // snippet
    _ = mock
}

nonisolated struct Post: Codable, Sendable {
    let id: Int
    let title: String
}
