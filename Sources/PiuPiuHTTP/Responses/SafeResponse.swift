/// A response or the error that came instead of it: the type of PiuPiu 1.x before it used `Result`.
@available(*, deprecated, message: "Use Result, as safeResult() and safeDecoded(_:using:) give it.")
public enum SafeResponse<T: Sendable>: Sendable {
    /// The response.
    case response(T)
    /// The error.
    case error(any Error)
}
