import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeDispatcher() -> URLRequestDispatcher {
    // snippet
    return dispatcher
}
