import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func show(_ text: String) {}

func listen(_ dispatcher: any StreamDispatcher, _ request: URLRequest) async throws {
    // snippet
}
