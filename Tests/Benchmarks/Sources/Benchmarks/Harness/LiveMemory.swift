import AllocationCounter

/// What the whole process has allocated, on any thread.
enum LiveMemory {
    private static let tolerance = 4_096
    private static let longestWait = 200

    /// The bytes that each of `count` things holds after `make` has made them.
    static func bytesPerItem(_ count: Int, _ make: () async throws -> Void) async throws -> Double {
        let before = try await bytesAtRest()
        try await make()
        return Double(try await bytesAtRest() - before) / Double(count)
    }

    /// The bytes once they stop changing.
    private static func bytesAtRest() async throws -> Int {
        var bytes = allocation_counter_live_bytes()
        for _ in 0..<longestWait {
            try await Task.sleep(for: .milliseconds(10))
            let previous = bytes
            bytes = allocation_counter_live_bytes()
            if abs(bytes - previous) < tolerance { break }
        }
        return bytes
    }
}
