extension Dispatching {
    /// This dispatcher with validation: its futures fail if the status isn't one of these; by default 200 to 299.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying().validating()
    /// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value.data
    /// let lenient = URLRequestDispatcher().validating(200..<400)
    /// ```
    ///
    /// For futures of all kinds, by the rules of ``ValidationPolicy``; the error is an ``UnacceptableStatusError``. For
    /// a single future use `validated(_:)`.
    ///
    /// - Parameter statuses: the numbers of the statuses that are acceptable: a range, an array, a set.
    public func validating(
        _ statuses: some Collection<Int> & Sendable = 200..<300
    ) -> PolicyDispatcher<Self, ValidationPolicy> {
        applying(ValidationPolicy(statuses))
    }

    /// This dispatcher with validation: its futures fail if the status isn't one of these; see the other form.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().validating([.ok, .notModified])
    /// ```
    public func validating(
        _ statuses: some Collection<StatusCode> & Sendable
    ) -> PolicyDispatcher<Self, ValidationPolicy> {
        applying(ValidationPolicy(statuses))
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<Int> & Sendable = 200..<300) -> any DataDispatcher {
        applying(ValidationPolicy(statuses))
    }

    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<StatusCode> & Sendable) -> any DataDispatcher {
        applying(ValidationPolicy(statuses))
    }
}

extension DownloadDispatcher {
    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<Int> & Sendable = 200..<300) -> any DownloadDispatcher {
        applying(ValidationPolicy(statuses))
    }

    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<StatusCode> & Sendable) -> any DownloadDispatcher {
        applying(ValidationPolicy(statuses))
    }
}

extension UploadDispatcher {
    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<Int> & Sendable = 200..<300) -> any UploadDispatcher {
        applying(ValidationPolicy(statuses))
    }

    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<StatusCode> & Sendable) -> any UploadDispatcher {
        applying(ValidationPolicy(statuses))
    }
}

extension StreamDispatcher {
    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<Int> & Sendable = 200..<300) -> any StreamDispatcher {
        applying(ValidationPolicy(statuses))
    }

    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<StatusCode> & Sendable) -> any StreamDispatcher {
        applying(ValidationPolicy(statuses))
    }
}

extension RequestDispatcher {
    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<Int> & Sendable = 200..<300) -> any RequestDispatcher {
        applying(ValidationPolicy(statuses))
    }

    /// This dispatcher with validation: its futures fail if the status isn't one of these.
    @_disfavoredOverload
    public func validating(_ statuses: some Collection<StatusCode> & Sendable) -> any RequestDispatcher {
        applying(ValidationPolicy(statuses))
    }
}
