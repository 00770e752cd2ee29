// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Client: Sendable {
    func posts() -> ResponseFuture<[Post]> { ResponseFuture(result: []) }
}

actor Cache {
    func posts() throws -> [Post] { [] }
}

actor Indicator {
    func hide() {}
}

func load(_ client: Client, _ cache: Cache, _ indicator: Indicator) {
    // snippet
    posts.send()
}
