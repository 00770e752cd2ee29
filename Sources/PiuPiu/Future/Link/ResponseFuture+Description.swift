/// What `print`, a log and the debugger show of a future: its state, and where it comes from if that is known.
///
/// ```swift
/// print(posts)  // ResponseFuture<[Post]>(running, PostList.swift:12)
/// print(dispatcher.dataFuture(from: request))  // ResponseFuture<Response<Data?>>(created, GET https://example.com/posts)
/// ```
///
/// Neither the value nor what the closures captured is shown, as these may hold secrets.
extension ResponseFuture: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, the state and the origin.
    ///
    /// The origin is the place of the closure which does the work, or the request of a dispatcher's future, with its
    /// secrets redacted. Futures of values, joins and what operators make have none: with one, each link of a chain would
    /// cost more.
    public var description: String {
        let parts = [status.word, (origin as? any CustomStringConvertible)?.description].compactMap(\.self)
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
