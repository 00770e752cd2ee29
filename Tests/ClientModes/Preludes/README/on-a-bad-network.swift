// with: sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

protocol Login: Sendable {
    func renewed(_ token: BearerToken) async throws -> BearerToken
}

func load(_ request: URLRequest, _ savedToken: BearerToken, _ api: URL, _ login: any Login) async throws {
    // snippet
    print(posts.map(\.title))
}
