extension MockURLRequestDispatcher: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How long it takes to answer: "MockURLRequestDispatcher(delay: 0.3)".
    public var description: String { "MockURLRequestDispatcher(delay: \(delay))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
