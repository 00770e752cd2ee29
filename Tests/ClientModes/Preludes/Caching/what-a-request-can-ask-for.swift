import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeRequest(_ request: URLRequest) -> URLRequest {
    // snippet
    return reload
}
