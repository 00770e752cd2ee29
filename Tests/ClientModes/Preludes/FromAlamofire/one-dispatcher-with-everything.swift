import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Language: RequestAdapter {
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest { urlRequest }
}

func build(_ session: Authenticator<BearerToken>) {
    // snippet
    _ = dispatcher
}
