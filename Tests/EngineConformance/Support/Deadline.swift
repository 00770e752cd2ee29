/// A limit for things that may hang.
enum Deadline {
    /// Runs `work` and returns when it is done or the time is up; late work is cancelled and not awaited, as it may
    /// never end.
    static func run(within time: Duration, _ work: @escaping @Sendable () async throws -> Void) async throws {
        let (outcomes, first) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let running = Task {
            do { first.yield(.success(try await work())) } catch { first.yield(.failure(error)) }
        }
        let clock = Task {
            try await Task.sleep(for: time)
            first.yield(.failure(EngineMisbehaviour("not over after \(time)")))
        }
        defer {
            running.cancel()
            clock.cancel()
        }
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }
}
