import PiuPiu

/// The joins that are measured.
enum Joins {
    static let width = 1_000

    static func joined(_ children: consuming [ResponseFuture<Int>]) -> ResponseFuture<[Int]> {
        ResponseFuture<[Int]>(childFutures: children)
    }

    /// 1 if the values are those of children 0, 1, 2… in this order.
    @inline(never)
    static func check(_ values: [Int]) -> Int {
        values.count == width && values.indices.allSatisfy { values[$0] == $0 } ? 1 : 0
    }

    /// 1 if the values are those of children 0, 1, 2… in any order.
    static func check(sum: Int, count: Int) -> Int {
        count == width && sum == width * (width - 1) / 2 ? 1 : 0
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
