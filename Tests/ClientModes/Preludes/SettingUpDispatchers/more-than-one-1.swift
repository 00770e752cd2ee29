import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func makeDispatchers() -> [any RequestDispatcher] {
    // snippet
    return [screens, files]
}
