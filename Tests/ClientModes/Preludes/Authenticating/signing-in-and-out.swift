import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Keychain: Sendable {
    func store(_ token: BearerToken?) {}
}

func keep(_ session: Authenticator<BearerToken>, _ token: BearerToken, in keychain: Keychain) async {
    // snippet
}
