/// The decisions of a ``FutureLoader``: which state follows, and which load's results still count.
///
/// A pure value without futures.
package struct LoadCourse<Value: Sendable>: Sendable {
    package private(set) var state: LoadingState<Value>

    /// The state that a cancelled load restores.
    private var settled: LoadingState<Value>

    /// The number of the current or last load.
    private var number = 0

    package init(value: Value? = nil) {
        settled = value.map { .loaded($0) } ?? .idle
        state = settled
    }

    /// A load begins; a running one doesn't count any more.
    ///
    /// - Returns: its number.
    package mutating func begin() -> Int {
        number += 1
        state = .loading(TransferProgress(), value: state.value)
        return number
    }

    /// Whether this load's updates and result still count.
    package func isCurrent(_ load: Int) -> Bool { load == number && state.isLoading }

    /// A load has made progress.
    package mutating func progressed(_ progress: TransferProgress, of load: Int) {
        guard isCurrent(load) else { return }
        state = .loading(progress, value: state.value)
    }

    /// A load has ended.
    package mutating func ended(_ result: Result<Value, any Error>, of load: Int) {
        guard isCurrent(load) else { return }
        switch result {
        case .success(let value): settled = .loaded(value)
        case .failure(let error) where error.isCancellation: break
        case .failure(let error): settled = .failed(error, value: state.value)
        }
        state = settled
    }

    /// The load that runs; `nil` if there is none.
    package var current: Int? { state.isLoading ? number : nil }

    /// A load is cancelled.
    package mutating func cancel(_ load: Int) {
        guard isCurrent(load) else { return }
        state = settled
    }
}
