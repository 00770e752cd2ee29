public import Observation

/// Loads a value for a user interface: its value, progress and error, for SwiftUI and other observers.
///
/// ```swift
/// struct PostsScreen: View {
///     @State private var loader = FutureLoader { client.posts() }
///
///     var body: some View {
///         List(loader.value ?? [], id: \.id) { PostRow($0) }
///             .overlay { if loader.isLoading { ProgressView(value: loader.progress?.fractionReceived) } }
///             .onAppear { loader.load() }
///             .refreshable { await loader.reload().finished() }
///     }
/// }
/// ```
///
/// On the main actor, and `@Observable`: each change of ``state`` notifies the observers that read it.
///
/// Only the newest load counts: it cancels the one before, whose result is dropped. A value stays while the
/// next one loads, and when that fails. A cancelled load, by ``cancel()`` or from within, restores the state before it.
///
/// A loader awaits its futures: it doesn't cancel one in which somebody else is interested, too (contract rule SHARED).
/// When the last reference to the loader is released, its load is cancelled as by ``cancel()``. The loader retains its
/// closure; capture weakly what retains the loader.
@MainActor @Observable
public final class FutureLoader<Value: Sendable>: nonisolated Observable {
    /// Makes the future of a load.
    public typealias Maker = @MainActor () -> ResponseFuture<Value>

    private var course: LoadCourse<Value>

    @ObservationIgnored private var makeFuture: Maker

    /// The task of the load that runs.
    @ObservationIgnored private var task: Task<Void, Never>?

    /// Makes a loader, which loads nothing yet.
    ///
    /// - Parameters:
    ///   - value: the value before the first load, from a cache, say: the state is then ``LoadingState/loaded(_:)``,
    ///     and only ``reload()`` loads.
    ///   - makeFuture: makes the future of a load, a new one each time.
    public init(value: Value? = nil, _ makeFuture: @escaping Maker) {
        course = LoadCourse(value: value)
        self.makeFuture = makeFuture
    }

    deinit { task?.cancel() }

    /// The state of the loader.
    public var state: LoadingState<Value> { course.state }

    /// The newest value, also while another one loads, and after that has failed.
    public var value: Value? { state.value }

    /// Why the last load has failed; `nil` in every other state.
    public var error: (any Error)? { state.error }

    /// The progress of the load; `nil` if there is none.
    public var progress: TransferProgress? { state.progress }

    /// Whether a load runs.
    public var isLoading: Bool { state.isLoading }

    /// Loads, unless a load runs or the state is ``LoadingState/loaded(_:)``: for a screen that appears.
    @discardableResult
    public func load() -> Self {
        switch state {
        case .idle, .failed: reload()
        case .loading, .loaded: self
        }
    }

    /// Loads again; a running load is cancelled.
    @discardableResult
    public func reload() -> Self {
        let number = change { $0.begin() }
        task.take()?.cancel()
        // The cancelled work may have begun another load, and so may the closure.
        guard course.isCurrent(number) else { return self }
        let future = makeFuture()
        guard course.isCurrent(number) else { return self }
        _ = future.onUpdate { @MainActor [weak self] update in
            self?.progressed(update.progress, of: number)
        }
        task = Task { [weak self] in
            // In a task of its own, as the work may go on after its cancellation, and would keep this one.
            let result = await future.outcome(isHere: false).result
            self?.ended(result, of: number)
        }
        return self
    }

    /// Loads something else, now and from now on: the results for another text. A running load is cancelled.
    ///
    /// ```swift
    /// .onChange(of: text) { loader.reload { client.results(for: text) } }
    /// ```
    @discardableResult
    public func reload(_ makeFuture: @escaping Maker) -> Self {
        // Released only afterwards: a deinit of what it captured may use the loader.
        let former = self.makeFuture
        defer { withExtendedLifetime(former) {} }
        self.makeFuture = makeFuture
        return reload()
    }

    /// Cancels the running load, and restores the state before it.
    public func cancel() {
        let running = task.take()
        // Before the work's own code hears of it, as that may begin another load.
        if let number = course.current { change { $0.cancel(number) } }
        running?.cancel()
    }

    /// Suspends until no load runs: for `refreshable`, or a test. Cancelling the waiting task ends only the wait.
    public func finished() async {
        while let task, isLoading, !Task.isCancelled {
            // Another load may have begun by then.
            _ = await ResponseFuture<Void> { () async in await task.value }.result
        }
    }

    private func progressed(_ progress: TransferProgress, of number: Int) {
        // Any mutating access notifies observers.
        guard course.isCurrent(number) else { return }
        change { $0.progressed(progress, of: number) }
    }

    private func ended(_ result: Result<Value, any Error>, of number: Int) {
        guard course.isCurrent(number) else { return }
        task = nil
        change { $0.ended(result, of: number) }
    }

    /// Changes the course, and releases the former value or error only afterwards: its deinit may use the loader.
    private func change<Result>(_ body: (inout LoadCourse<Value>) -> Result) -> Result {
        let former = course
        defer { withExtendedLifetime(former) {} }
        return body(&course)
    }
}
