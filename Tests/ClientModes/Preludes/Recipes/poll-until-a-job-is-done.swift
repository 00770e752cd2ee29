import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Report: Decodable, Sendable {}

nonisolated struct Job: Decodable, Sendable {
    let isDone: Bool
}

nonisolated let network = URLRequestDispatcher()
nonisolated let dispatcher = network

// snippet
