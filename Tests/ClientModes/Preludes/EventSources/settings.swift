import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated func log(_ text: String) { print(text) }

func listen(_ dispatcher: any StreamDispatcher, _ request: URLRequest) async throws {
    var stored: String?
    // snippet
}
