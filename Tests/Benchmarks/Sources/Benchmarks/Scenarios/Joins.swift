import PiuPiu

/// The joins that are measured.
enum Joins {
    static let width = 1_000

    // A stand-in until PiuPiu has `ResponseFuture(childFutures:)`.
    static func joined(_ children: [ResponseFuture<Int>]) -> ResponseFuture<[Int]> {
        ResponseFuture {
            try await withThrowingTaskGroup(of: (Int, Int).self) { group in
                for (index, child) in children.enumerated() {
                    group.addTask { (index, try await child.value) }
                }
                return try await inOrder(&group, width: children.count)
            }
        }
    }

    /// 1 if the values are those of children 0, 1, 2… in this order.
    @inline(never)
    static func check(_ values: [Int]) -> Int {
        values.count == width && values.indices.allSatisfy { values[$0] == $0 } ? 1 : 0
    }

    /// The values that a group's tasks give, in the order of the tasks' indices.
    static func inOrder(
        _ group: inout ThrowingTaskGroup<(Int, Int), any Error>, width: Int
    ) async throws -> [Int] {
        var values = Array(repeating: 0, count: width)
        for try await (index, value) in group { values[index] = value }
        return values
    }
}
