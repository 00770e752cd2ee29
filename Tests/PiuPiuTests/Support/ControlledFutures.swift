import PiuPiu
import PiuPiuTesting
import TestSupport

/// Futures whose starts and cancellations a test sees, and which it settles.
final class ControlledFutures: Sendable {
    /// `start n` for each started future, `cancel n` for each cancelled one.
    let log = EventLog()
    private let promises = Locked<[Int: ResponseFuture<Int>]>([:])

    func future(_ number: Int) -> ResponseFuture<Int> {
        ResponseFuture<Int> { promise in
            self.promises.withLock { $0[number] = promise }
            self.log("start \(number)")
        }
        .onCancellation { self.log("cancel \(number)") }
    }

    /// Settles a future that has started.
    func settle(_ number: Int, with result: Result<Int, any Error>) {
        promises.withLock { $0.removeValue(forKey: number) }?.complete(with: result)
    }

    func succeed(_ number: Int) { settle(number, with: .success(number)) }

    func fail(_ number: Int) { settle(number, with: .failure(Mishap(number: number))) }
}

/// Counts the objects of a kind that are alive.
final class Population: Sendable {
    /// One of the objects.
    final class Member: Sendable {
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

    /// How many are alive.
    var count: Int { state.withLock { $0.count } }

    /// The highest number alive at once.
    var highest: Int { state.withLock { $0.highest } }

    func member() -> Member {
        state.withLock { state in
            state.count += 1
            state.highest = max(state.highest, state.count)
        }
        return Member(of: self)
    }

    /// Suspends until none is alive.
    func extinct() async {
        await state.wait { $0.count == 0 }
    }

    private func remove() {
        state.withLock { $0.count -= 1 }
    }
}
