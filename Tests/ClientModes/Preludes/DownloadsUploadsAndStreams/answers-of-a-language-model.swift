// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Question: Encodable, Sendable {
    let text: String
}

nonisolated struct Delta: Decodable, Sendable {
    let text: String
}

func show(_ text: String) {}

func ask(_ question: Question, at url: URL) async throws {
    // snippet
}
