import PiuPiu
import TestSupport

/// The futures that a random program reaches through weak references, some of which it holds for a while.
final class RandomProgramRegistry: Sendable {
    private let references = Locked<[Int: Weak<ResponseFuture<Int>>]>([:])
    private let held = Locked<[Int: ResponseFuture<Int>]>([:])

    /// Registers a new future, before anyone else sees it.
    func add(_ future: ResponseFuture<Int>, as node: Int) {
        let reference = Weak(future)
        references.withLock { $0[node] = reference }
    }

    /// A strong reference, if the future has been made and still exists.
    func future(_ node: Int) -> ResponseFuture<Int>? {
        references.withLock { $0[node] }?.object
    }

    /// Keeps a future for a while.
    func hold(_ future: ResponseFuture<Int>, as node: Int) {
        held.release { held in
            defer { held[node] = future }
            return held[node]
        }
    }

    func letGo(of node: Int) {
        held.release { $0.removeValue(forKey: node) }
    }

    func releaseAll() {
        held.release { held in
            defer { held = [:] }
            return held
        }
    }
}
