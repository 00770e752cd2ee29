import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeDispatcher(api: URL, savedToken: BearerToken?) -> any RequestDispatcher {
    // snippet
    return dispatcher
}
