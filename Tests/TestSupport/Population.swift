import PiuPiu
import PiuPiuTesting

/// Counts the objects of a kind that are alive.
package final class Population: Sendable {
    /// One of the objects.
    package final class Member: Sendable {
        private let population: Population

        fileprivate init(of population: Population) {
            self.population = population
        }

        deinit { population.remove() }
    }

    private struct State: Sendable {
        var count = 0
        var highest = 0
    }

    private let state = Watched(State())

    package init() {}

    /// How many are alive.
    package var count: Int { state.withLock { $0.count } }

    /// The highest number alive at once.
    package var highest: Int { state.withLock { $0.highest } }

    package func member() -> Member {
        state.withLock { state in
            state.count += 1
            state.highest = max(state.highest, state.count)
        }
        return Member(of: self)
    }

    /// Suspends until none is alive.
    package func extinct() async {
        await state.wait { $0.count == 0 }
    }

    private func remove() {
        state.withLock { $0.count -= 1 }
    }
}
