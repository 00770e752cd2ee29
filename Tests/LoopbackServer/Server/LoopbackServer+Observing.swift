extension LoopbackServer {
    /// The latest requests that have been received whole, in their order; ``LoopbackLimits`` says how many.
    public var requests: [RecordedRequest] {
        core.state.withLock { [core] in $0.latest(core.limits.recordedRequests) }
    }

    /// The latest requests for this path, which is without query and still percent-encoded.
    public func requests(path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }

    /// The number of all requests so far, or of those for this path; no limit applies to it.
    public func requestCount(path: String? = nil) -> Int {
        core.state.withLock { $0.requestCount(path: path) }
    }

    /// Forgets the recorded requests, and counts requests and sent bytes from zero.
    public func forgetRequests() {
        core.state.withLock { $0.forgetRequests() }
    }

    /// The number of connections that are open now.
    public var openConnections: Int { core.state.withLock(\.open) }

    /// The number of connections so far.
    public var acceptedConnections: Int { core.state.withLock(\.accepted) }

    /// The number of requests between the end of their head and the end of their reply.
    public var activeRequests: Int { core.state.withLock(\.active) }

    /// The number of body bytes that the system has taken for this path, from ``LoopbackReply/Step/countedPattern(count:)``.
    ///
    /// The system's buffers hold some millions of them, which the client has not read yet.
    public func bytesSent(path: String) -> Int {
        core.state.withLock { $0.sendings[path]?.bytes ?? 0 }
    }

    /// Waits until at least `count` requests, for this path or any, have been received whole.
    ///
    /// This wait, like the others, doesn't poll: the request ends it. A cancelled wait throws a `CancellationError`;
    /// one that can't succeed any more throws ``LoopbackServerError/stopped``.
    public func waitForRequests(_ count: Int = 1, path: String? = nil) async throws {
        try await core.state.wait(until: .requests(count, path: path))
    }

    /// Waits until at least `count` connections have been accepted since the start.
    public func waitForAcceptedConnections(_ count: Int) async throws {
        try await core.state.wait(until: .accepted(count))
    }

    /// Waits until at most `count` connections are open: after a cancelled transfer, for example.
    public func waitForClosedConnections(downTo count: Int = 0) async throws {
        try await core.state.wait(until: .openConnections(atMost: count))
    }

    /// Waits until ``bytesSent(path:)`` is at least `count`.
    public func waitForBytesSent(_ count: Int, path: String) async throws {
        try await core.state.wait(until: .bytesSent(count, path: path))
    }

    /// Waits until the sending of a counted body comes to a pause: the client has taken nothing for a quarter of a
    /// second, or everything is sent.
    public func waitUntilSendingPauses(path: String) async throws {
        try await core.state.wait(until: .sendingPaused(path: path))
    }

    /// Waits until no request is being received or answered.
    public func waitUntilIdle() async throws {
        try await core.state.wait(until: .idle)
    }
}
