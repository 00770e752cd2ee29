/// The state of a ``FutureLoader``, for a user interface to show.
///
/// ```swift
/// switch loader.state {
/// case .idle: EmptyView()
/// case .loading(let progress, let older): PostsView(older ?? []).overlay { ProgressView(value: progress.fractionReceived) }
/// case .loaded(let posts): PostsView(posts)
/// case .failed(let error, let older): PostsView(older ?? []).alert(error)
/// }
/// ```
public enum LoadingState<Value: Sendable>: Sendable {
    /// Nothing was loaded yet.
    case idle
    /// The value is loading. `value` is that of an earlier load, if there was one.
    case loading(TransferProgress, value: Value?)
    /// The value was loaded.
    case loaded(Value)
    /// Loading failed. `value` is that of an earlier load, if there was one.
    case failed(any Error, value: Value?)
}

extension LoadingState {
    /// The newest value, also while another one loads, and after that has failed.
    public var value: Value? {
        switch self {
        case .idle: nil
        case .loading(_, let value), .failed(_, let value): value
        case .loaded(let value): value
        }
    }

    /// Why the last load has failed; `nil` in every other state.
    public var error: (any Error)? { if case .failed(let error, _) = self { error } else { nil } }

    /// The progress of the load; `nil` in every other state.
    public var progress: TransferProgress? { if case .loading(let progress, _) = self { progress } else { nil } }

    /// Whether a load runs.
    public var isLoading: Bool { progress != nil }
}

extension LoadingState: Equatable where Value: Equatable {
    /// Whether both are in the same state with the same values; errors are equal if their types and texts are.
    public static func == (left: LoadingState, right: LoadingState) -> Bool {
        switch (left, right) {
        case (.idle, .idle): true
        case (.loading(let left, let value), .loading(let right, let other)): left == right && value == other
        case (.loaded(let left), .loaded(let right)): left == right
        case (.failed(let left, let value), .failed(let right, let other)):
            type(of: left) == type(of: right) && "\(left)" == "\(right)" && value == other
        default: false
        }
    }
}
