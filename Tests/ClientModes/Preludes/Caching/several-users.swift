import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeDispatcher(_ cache: HTTPCache) -> URLRequestDispatcher {
    // snippet
    return mine
}
