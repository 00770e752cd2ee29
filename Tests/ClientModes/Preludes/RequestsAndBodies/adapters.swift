import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

actor TokenStore {
    func token() throws -> String { "token" }
}

let store = TokenStore()

// snippet
