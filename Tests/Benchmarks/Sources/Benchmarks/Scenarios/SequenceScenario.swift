import PiuPiu

/// The values of many futures, eight of which may run at the same time.
enum SequenceScenario {
    static let scenarios = [
        scenario(inOrder: false, yields: false), scenario(inOrder: false, yields: true),
        scenario(inOrder: true, yields: false), scenario(inOrder: true, yields: true),
    ]

    private static let length = 200
    private static let limit = 8
    private static let groupName = "`TaskGroup` of \(limit)"

    private static func scenario(inOrder: Bool, yields: Bool) -> TimedScenario {
        let method = inOrder ? "valuesInOrder" : "valuesInCompletionOrder"
        let name = inOrder ? "values-order" : "values-completion-order"
        return TimedScenario(
            name: yields ? name + "-suspending" : name,
            title: "`\(method)(limit: \(limit))` of \(length) futures, "
                + (yields ? "operations that suspend once" : "`async` operations that don't suspend"),
            expected: 1, peer: groupName, targets: [.atMost(1.2, timesContender: groupName)],
            contenders: [
                Contender("PiuPiu", .piuPiu) { try await piuPiu($0, inOrder, yields) },
                Contender(groupName, .yardstick) {
                    inOrder ? await orderedGroup($0, yields) : await unorderedGroup($0, yields)
                },
            ])
    }

    private static func work(_ index: Int, _ yields: Bool) async -> Int {
        if yields { await Task.yield() }
        return index &+ (await oneInPlace()) &- 1
    }

    /// What a consumer has seen.
    private struct Seen {
        var count = 0
        var sum = 0
        var isInOrder = true

        mutating func add(_ value: Int) {
            isInOrder = isInOrder && value == count
            count += 1
            sum += value
        }

        /// 1 if each value was seen once, in their order if that is asked for.
        func check(inOrder: Bool) -> Int {
            count == length && sum == length * (length - 1) / 2 && (isInOrder || !inOrder) ? 1 : 0
        }
    }

    @inline(never) @concurrent
    private static func piuPiu(_ count: Int, _ inOrder: Bool, _ yields: Bool) async throws -> Int {
        var sum = 0
        for _ in 0..<count {
            let futures = (0..<length).map { index in ResponseFuture { await work(index, yields) } }
            var seen = Seen()
            let values = inOrder ? futures.valuesInOrder(limit: limit) : futures.valuesInCompletionOrder(limit: limit)
            for try await value in values { seen.add(value) }
            sum &+= seen.check(inOrder: inOrder)
        }
        return sum
    }

    @inline(never) @concurrent
    private static func unorderedGroup(_ count: Int, _ yields: Bool) async -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= await withTaskGroup(of: Int.self) { group in
                var seen = Seen()
                for index in 0..<limit { group.addTask { await work(index, yields) } }
                var started = limit
                while let value = await group.next() {
                    seen.add(value)
                    guard started < length else { continue }
                    let index = started
                    group.addTask { await work(index, yields) }
                    started += 1
                }
                return seen.check(inOrder: false)
            }
        }
        return sum
    }

    /// A value that comes early waits for its turn, and the next task too.
    @inline(never) @concurrent
    private static func orderedGroup(_ count: Int, _ yields: Bool) async -> Int {
        var sum = 0
        for _ in 0..<count {
            sum &+= await withTaskGroup(of: (Int, Int).self) { group in
                var seen = Seen()
                var early: [Int?] = Array(repeating: nil, count: length)
                for index in 0..<limit { group.addTask { (index, await work(index, yields)) } }
                var started = limit
                for await (index, value) in group {
                    early[index] = value
                    while seen.count < length, let value = early[seen.count] {
                        seen.add(value)
                        guard started < length else { continue }
                        let index = started
                        group.addTask { (index, await work(index, yields)) }
                        started += 1
                    }
                }
                return seen.check(inOrder: true)
            }
        }
        return sum
    }
}
