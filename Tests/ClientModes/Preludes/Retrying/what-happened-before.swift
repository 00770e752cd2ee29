import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated func log(_ text: String) { print(text) }

func load(_ dispatcher: any DataDispatcher, _ request: URLRequest) async throws {
    // snippet
}
