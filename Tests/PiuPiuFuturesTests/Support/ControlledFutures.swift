import PiuPiu
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
