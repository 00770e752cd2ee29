package import PiuPiuTesting

extension Watched {
    /// Suspends until `condition` is true, and ignores cancellation.
    package func waitDeaf(until condition: @escaping @Sendable (Value) -> Bool) async {
        // A task of its own isn't cancelled with the caller's.
        await Task { await wait(until: condition) }.value
    }
}
