import AllocationCounter
import NIOCore
import OpenCombine
import PiuPiu

/// What an unstarted future costs.
struct MemoryScenario: Scenario {
    let name = "memory"

    func table(with settings: Settings) async throws -> Table {
        var table = Table(
            title: "\(name): for each future that is pending, and for each transform added to it",
            columns: [
                "contender", "requested", "usable", "allocations", "of these freed at once", "per `then`: requested",
                "usable", "allocations", "of these freed at once", "target",
            ])
        guard allocation_counter_is_available() else {
            table.note = "Left out: allocations can be counted only where glibc's allocator is used."
            return table
        }
        let count = settings.isQuick ? 1_000 : 100_000
        let rows: [(String, Footprint)] = [
            ("PiuPiu, `ResponseFuture { 1 }`", Self.piuPiu(count)),
            ("swift-nio, promise and its future", try await Self.nio(count)),
            ("OpenCombine, `Future`, type-erased", Self.openCombine(count)),
            (Contender.actorPerLinkName, Self.actorPerLink(count)),
        ]
        for (name, footprint) in rows {
            let hasTarget = name.hasPrefix("PiuPiu") && !settings.isQuick
            table.add([name] + footprint.created.cells + footprint.added.cells + [hasTarget ? footprint.verdict : ""])
        }
        return table
    }

    /// What making a future, and then adding a transform to it, allocates.
    private struct Footprint {
        let created: AllocationsPerItem
        let added: AllocationsPerItem

        var verdict: String {
            [
                Target.verdict("≤ 160 B unstarted", isMet: created.requested <= 160),
                Target.verdict("≤ 96 B per `then`", isMet: added.requested <= 96),
            ].joined(separator: "; ")
        }
    }

    // Filled in place, so that nothing but the futures themselves is counted.

    @inline(never)
    private static func piuPiu(_ count: Int) -> Footprint {
        var futures: [ResponseFuture<Int>] = []
        futures.reserveCapacity(count)
        let created = AllocationsPerItem(count: count) { _ in futures.append(ResponseFuture { 1 }) }
        let added = AllocationsPerItem(count: count) { futures[$0] = futures[$0].then { $0 &+ 1 } }
        return Footprint(created: created, added: added)
    }

    @inline(never)
    private static func nio(_ count: Int) async throws -> Footprint {
        try await NIOLoop.run { loop in
            var promises: [EventLoopPromise<Int>] = []
            var futures: [EventLoopFuture<Int>] = []
            promises.reserveCapacity(count)
            futures.reserveCapacity(count)
            let created = AllocationsPerItem(count: count) { _ in promises.append(loop.makePromise(of: Int.self)) }
            let added = AllocationsPerItem(count: count) {
                futures.append(promises[$0].futureResult.map { $0 &+ 1 })
            }
            for promise in promises { promise.succeed(1) }
            return Footprint(created: created, added: added)
        }
    }

    @inline(never)
    private static func openCombine(_ count: Int) -> Footprint {
        var publishers: [AnyPublisher<Int, Never>] = []
        publishers.reserveCapacity(count)
        let created = AllocationsPerItem(count: count) { _ in
            publishers.append(Future<Int, Never> { _ in }.eraseToAnyPublisher())
        }
        let added = AllocationsPerItem(count: count) {
            publishers[$0] = publishers[$0].map { $0 &+ 1 }.eraseToAnyPublisher()
        }
        return Footprint(created: created, added: added)
    }

    @inline(never)
    private static func actorPerLink(_ count: Int) -> Footprint {
        var futures: [ActorPerLinkFuture<Int>] = []
        futures.reserveCapacity(count)
        let created = AllocationsPerItem(count: count) { _ in futures.append(ActorPerLinkFuture { 1 }) }
        let added = AllocationsPerItem(count: count) { futures[$0] = futures[$0].then { $0 &+ 1 } }
        return Footprint(created: created, added: added)
    }
}
