import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

actor TokenStore {
    func fresh() async throws -> String { "" }
}

let tokens = TokenStore()

// snippet
