/// How much a loopback server takes on and remembers.
public struct LoopbackLimits: Sendable {
    /// The number of connections, each with its thread; more of them wait in the backlog.
    public var connections: Int
    /// The bytes of a request's line and headers; a larger head is answered with 431.
    public var headBytes: Int
    /// The bytes of a body that is collected; a larger one is answered with 413.
    public var bodyBytes: Int
    /// The number of requests that ``LoopbackServer/requests`` remembers, the latest ones.
    public var recordedRequests: Int
    /// The bytes of each remembered body; what exceeds them is left out of the record.
    public var recordedBodyBytes: Int
    /// The stack of each connection's thread, on which the handlers run.
    public var stackBytes: Int

    /// Makes limits; the defaults suit tests and benchmarks.
    public init(
        connections: Int = 512,
        headBytes: Int = 128 * 1024,
        bodyBytes: Int = 64 * 1024 * 1024,
        recordedRequests: Int = 1_000,
        recordedBodyBytes: Int = 1024 * 1024,
        stackBytes: Int = 512 * 1024
    ) {
        self.connections = max(1, connections)
        self.headBytes = max(256, headBytes)
        self.bodyBytes = max(0, bodyBytes)
        self.recordedRequests = max(0, recordedRequests)
        self.recordedBodyBytes = max(0, recordedBodyBytes)
        self.stackBytes = max(256 * 1024, stackBytes)
    }
}
