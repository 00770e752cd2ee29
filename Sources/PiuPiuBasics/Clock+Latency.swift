extension Clock<Duration> {
    /// Sleeps, unless the latency is zero or less.
    package func sleep(latency: Duration) async throws {
        if latency > .zero { try await sleep(for: latency.withinRangeOfClocks) }
    }
}
