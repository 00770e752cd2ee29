import PiuPiu
import TestSupport

/// The futures that a random program reaches through weak references, and those of them that it holds for a while.
final class RandomProgramRegistry: Sendable {
    private let references = Locked<[Int: Weak<ResponseFuture<Int>>]>([:])
    private let held = Locked<[Int: ResponseFuture<Int>]>([:])

    /// Takes down a future when it is made, before anybody else sees it.
    func add(_ future: ResponseFuture<Int>, as node: Int) {
        let reference = Weak(future)
        references.withLock { $0[node] = reference }
    }

    /// A strong reference, if the future has been made and is still there.
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
