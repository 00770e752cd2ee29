/// What `print`, a log and the debugger show of a future: its state and, if known, its origin.
///
/// ```swift
/// print(posts)  // ResponseFuture<[Post]>(running, PostList.swift:12)
/// print(dispatcher.dataFuture(from: request))  // ResponseFuture<Response<Data?>>(created, GET https://example.com/posts)
/// ```
///
/// The value and the captures of closures are not shown, because they may contain secrets.
extension ResponseFuture: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type, the state and the origin.
    ///
    /// The origin is the source location of the closure that does the work, or the request of a dispatcher's future,
    /// with its secrets redacted. Futures of values, joins and operators have none, because it would make each link of
    /// a chain cost more.
    public var description: String {
        let parts = [status.word, origin?.description].compactMap(\.self)
        return "ResponseFuture<\(readableName(of: Success.self))>(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: the contents may change during reflection.
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
