import PiuPiu

extension RecordingDispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What it wraps, and how many exchanges it has seen: "RecordingDispatcher(MockRouteTable, 3 exchanges)".
    public var description: String {
        "RecordingDispatcher(\(readableName(of: Wrapped.self)), \(exchanges.count) exchanges)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing: ``exchanges`` may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
