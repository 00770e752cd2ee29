import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeCache() -> HTTPCache {
    // snippet
    return frozen
}
