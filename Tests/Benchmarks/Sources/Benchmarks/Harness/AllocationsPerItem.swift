import AllocationCounter
import Foundation

/// What doing something once allocates, on average.
struct AllocationsPerItem: Sendable {
    let requested: Double
    let usable: Double
    let allocations: Double
    let frees: Double

    /// Does something `count` times on this thread, and counts.
    init(count: Int, _ body: (_ index: Int) -> Void) {
        allocation_counter_start()
        for index in 0..<count { body(index) }
        let counts = allocation_counter_stop()
        requested = Double(counts.requested_bytes) / Double(count)
        usable = Double(counts.usable_bytes) / Double(count)
        allocations = Double(counts.allocations) / Double(count)
        frees = Double(counts.frees) / Double(count)
    }

    var cells: [String] {
        [Self.bytes(requested), Self.bytes(usable), String(format: "%.2f", allocations), String(format: "%.2f", frees)]
    }

    private static func bytes(_ value: Double) -> String {
        String(format: "%.1f B", value)
    }
}
