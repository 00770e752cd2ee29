import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated func report(_ text: String) { print(text) }

func watch(_ dispatcher: URLRequestDispatcher) -> any RequestDispatcher {
    // snippet
    return watched
}
