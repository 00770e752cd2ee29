public import Observation

/// What an interface loads: a value, how far it has come, or why it isn't there, for SwiftUI and everything else that
/// observes.
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
/// On the main actor, and `@Observable`: each change of ``state`` notifies those who have read it.
///
/// The newest load is the one that counts: another one cancels it, and whatever an older one still brings is dropped. A
/// value stays while the next one is loaded, and when that fails. A load that is cancelled, by ``cancel()`` or from within,
/// leaves the state as it was before it.
///
/// A loader awaits its futures: one in which somebody else is interested too isn't cancelled with it (contract rule SHARED).
/// When the last reference to the loader goes, what it loads is cancelled as by ``cancel()``. Its closure is kept; capture
/// weakly what keeps the loader.
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
    ///   - value: what there is before the first load, from a cache, say: the state is ``LoadingState/loaded(_:)`` then.
    ///   - makeFuture: makes the future of a load, a new one each time.
    public init(value: Value? = nil, _ makeFuture: @escaping Maker) {
        course = LoadCourse(value: value)
        self.makeFuture = makeFuture
    }

    deinit { task?.cancel() }

    /// Where the loader is.
    public var state: LoadingState<Value> { course.state }

    /// The newest value that there is, also while another one is loaded, and after that has failed.
    public var value: Value? { state.value }

    /// Why the last load has failed; `nil` in every other state.
    public var error: (any Error)? { state.error }

    /// How far the load has come; `nil` if there is none.
    public var progress: TransferProgress? { state.progress }

    /// Whether a load runs.
    public var isLoading: Bool { state.isLoading }

    /// Loads, unless a load runs or there is a value without a failure: for a screen that appears.
    @discardableResult
    public func load() -> Self {
        switch state {
        case .idle, .failed: reload()
        case .loading, .loaded: self
        }
    }

    /// Loads anew; a load that runs is cancelled.
    @discardableResult
    public func reload() -> Self {
        task?.cancel()
        let number = course.begin()
        let future = makeFuture().onUpdate { @MainActor [weak self] update in
            self?.progressed(update.progress, of: number)
        }
        task = Task { [weak self] in
            let result = await future.result
            self?.ended(result, of: number)
        }
        return self
    }

    /// Loads something else, now and from now on: the results for another text, or the next page. A load that runs is
    /// cancelled.
    ///
    /// ```swift
    /// .onChange(of: text) { loader.reload { client.results(for: text) } }
    /// ```
    @discardableResult
    public func reload(_ makeFuture: @escaping Maker) -> Self {
        self.makeFuture = makeFuture
        return reload()
    }

    /// Ends the load that runs; the state is what it was before it.
    public func cancel() {
        task.take()?.cancel()
        guard isLoading else { return }
        course.cancel()
    }

    /// Suspends until no load runs: for `refreshable`, or a test. Cancelling the task that waits ends the wait alone.
    public func finished() async {
        while let task, isLoading, !Task.isCancelled {
            // Another load may have begun by then.
            _ = await ResponseFuture<Void> { () async in await task.value }.result
        }
    }

    private func progressed(_ progress: TransferProgress, of number: Int) {
        // Any access to write notifies observers.
        guard course.isCurrent(number) else { return }
        course.progressed(progress, of: number)
    }

    private func ended(_ result: Result<Value, any Error>, of number: Int) {
        guard course.isCurrent(number) else { return }
        task = nil
        course.ended(result, of: number)
    }
}
