import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeDispatcher() -> any RequestDispatcher {
    // snippet
    return polite
}
