import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Price: Decodable, Sendable {}

func show(_ price: Price) {}

func prices(_ dispatcher: URLRequestDispatcher, pricesURL: URL) async throws {
    // snippet
}
