/// What `print`, a log and the debugger show of a future: its state, and where it was created if that is known.
///
/// ```swift
/// print(posts)  // ResponseFuture<[Post]>(running, PostList.swift:12)
/// ```
///
/// Neither the value nor what the closures captured is shown, as these may hold secrets.
extension ResponseFuture: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, the state and the origin.
    ///
    /// The origin is that of the closure which does the work: futures of values and dispatchers, joins and the futures
    /// that operators make have none.
    public var description: String {
        let parts = [status.word, origin?.description].compactMap(\.self)
        return "ResponseFuture<\(readableName(of: Success.self))>(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: what is inside changes while one looks.
    public var customMirror: Mirror {
        Mirror(self, children: [], displayStyle: .class, ancestorRepresentation: .suppressed)
    }
}

extension FutureStatus {
    fileprivate var word: String {
        switch self {
        case .created: "created"
        case .started: "running"
        case .success: "succeeded"
        case .error: "failed"
        case .cancelled: "cancelled"
        }
    }
}
