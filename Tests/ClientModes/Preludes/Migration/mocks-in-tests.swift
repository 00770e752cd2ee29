import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PostService {
    let dispatcher: any DataDispatcher

    func title(ofPost id: Int) async throws -> String { "" }
}

func testPost(_ myTestClock: any Clock<Duration>) async throws {
    // snippet
    _ = mock
}

nonisolated struct Post: Codable, Sendable {
    let id: Int
    let title: String
}
