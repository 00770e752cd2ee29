import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

protocol Login: Sendable {
    func renewed(_ token: BearerToken) async throws -> BearerToken
}

func makeDispatcher(
    _ savedToken: BearerToken, for shopURL: URL, _ mapsKey: String, for mapsURL: URL, _ login: any Login
) -> any RequestDispatcher {
    // snippet
    return dispatcher
}
