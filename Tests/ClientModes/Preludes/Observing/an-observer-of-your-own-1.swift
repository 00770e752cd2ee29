import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated final class Statistics: Sendable {
    func count(_ name: String) {}
    func record(_ name: String, _ duration: Duration) {}
}

let statistics = Statistics()

// snippet
