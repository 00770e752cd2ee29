import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Vault: Sendable {
    let lastToken: String

    func freshToken() async throws -> String { lastToken }
}

// snippet
