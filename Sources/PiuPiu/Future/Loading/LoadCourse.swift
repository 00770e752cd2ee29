/// The decisions of a ``FutureLoader``: what state follows, and whose answer still counts.
///
/// A pure value without futures; each method of an answer says whether it has changed anything.
package struct LoadCourse<Value: Sendable>: Sendable {
    package private(set) var state: LoadingState<Value>

    /// What a load that is cancelled goes back to.
    private var settled: LoadingState<Value>

    /// The number of the load that runs, or has run last.
    private var number = 0

    package init(value: Value? = nil) {
        settled = value.map { .loaded($0) } ?? .idle
        state = settled
    }

    /// A load begins, and one that runs doesn't count any more.
    ///
    /// - Returns: its number.
    package mutating func begin() -> Int {
        number += 1
        state = .loading(TransferProgress(), value: state.value)
        return number
    }

    /// Whether what this load tells still counts.
    package func isCurrent(_ load: Int) -> Bool { load == number && state.isLoading }

    /// A load has come further.
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

    /// The load that runs is cancelled.
    package mutating func cancel() {
        state = settled
    }
}
