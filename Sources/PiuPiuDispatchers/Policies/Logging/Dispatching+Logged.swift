extension Dispatching {
    /// This dispatcher with a log of its whole traffic: each request as a command for curl, and its response.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying().logged()
    /// let quiet = URLRequestDispatcher().logged(bodyLimit: 0) { text in logFile.append(text) }
    /// ```
    ///
    /// For futures of all kinds and over every dispatcher, by the rules of ``TrafficLogPolicy``: one text for each
    /// exchange when its future ends, and one for the failure of a stream after that; off the main actor, and with
    /// secrets redacted.
    ///
    /// - Parameters:
    ///   - bodyLimit: how many bytes of each body are written.
    ///   - redaction: the headers whose values aren't written; ``HeaderRedaction/none`` writes all.
    ///   - write: takes the text of an exchange; by default it is printed. Called by several exchanges concurrently.
    public func logged(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) -> PolicyDispatcher<Self, TrafficLogPolicy> {
        applying(TrafficLogPolicy(bodyLimit: bodyLimit, redacting: redaction, write: write))
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with a log of its whole traffic.
    @_disfavoredOverload
    public func logged(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) -> any DataDispatcher {
        applying(TrafficLogPolicy(bodyLimit: bodyLimit, redacting: redaction, write: write))
    }
}

extension DownloadDispatcher {
    /// This dispatcher with a log of its whole traffic.
    @_disfavoredOverload
    public func logged(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) -> any DownloadDispatcher {
        applying(TrafficLogPolicy(bodyLimit: bodyLimit, redacting: redaction, write: write))
    }
}

extension UploadDispatcher {
    /// This dispatcher with a log of its whole traffic.
    @_disfavoredOverload
    public func logged(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) -> any UploadDispatcher {
        applying(TrafficLogPolicy(bodyLimit: bodyLimit, redacting: redaction, write: write))
    }
}

extension StreamDispatcher {
    /// This dispatcher with a log of its whole traffic.
    @_disfavoredOverload
    public func logged(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) -> any StreamDispatcher {
        applying(TrafficLogPolicy(bodyLimit: bodyLimit, redacting: redaction, write: write))
    }
}

extension RequestDispatcher {
    /// This dispatcher with a log of its whole traffic.
    @_disfavoredOverload
    public func logged(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) -> any RequestDispatcher {
        applying(TrafficLogPolicy(bodyLimit: bodyLimit, redacting: redaction, write: write))
    }
}
