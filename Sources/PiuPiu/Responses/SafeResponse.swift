/// A response or the error that came instead of it, as PiuPiu 1.x had it before it took up `Result`.
@available(*, deprecated, message: "Use Result, as safeResult() and safeDecoded(_:using:) give it.")
public enum SafeResponse<T: Sendable>: Sendable {
    /// What was wanted.
    case response(T)
    /// What went wrong.
    case error(any Error)
}
