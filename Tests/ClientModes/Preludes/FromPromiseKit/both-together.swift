// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stands for a promise of the other library.
nonisolated final class LegacyPromise: Sendable {
    func done(_ body: @escaping @Sendable (Post) -> Void) {}
    func `catch`(_ body: @escaping @Sendable (any Error) -> Void) {}
}

// snippet
