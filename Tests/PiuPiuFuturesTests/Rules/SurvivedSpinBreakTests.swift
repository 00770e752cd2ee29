#if os(Linux) || os(macOS)
    import Foundation
    import PiuPiu
    import TestSupport
    import Testing

    /// Each test fails with a break of the core that no other test noticed. In processes of their own, as they block a
    /// thread of the pool, which may have only two.
    @Suite(
        "Breaks that survived: work that spins", .timeLimit(.oneProcessAtATime),
        .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    struct SurvivedSpinBreakTests {
        @Test(
            "GROUPS, PROMPT: a join that fails cancels a synchronous part in flight", .oneProcessAtATime,
            arguments: [true, false])
        func spinningPart(isSent: Bool) async {
            await #expect(processExitsWith: .success) { [isSent] in
                let log = EventLog(), begun = Gate(), promise = Box<ResponseFuture<Int>>()
                let spinning = ResponseFuture { () throws -> Int in
                    begun.open()
                    do { return try spinUntilCancelled() } catch {
                        log("\(error)")
                        throw error
                    }
                }
                let failing = ResponseFuture<Int> { promise.value = $0 }
                let joined = ResponseFuture<[Int]>(childFutures: [spinning, failing])
                if isSent { joined.send() }
                let task = isSent ? nil : Awaiting(now: joined)
                await begun.opened()
                promise.value?.fail(with: Mishap())
                promise.value = nil
                try #require(await log.all(1) == ["CancellationError()"])
                if let task { try #require(await task.ending == "error Mishap(number: 0)") }
            }
        }

        /// What raises work that has begun at the lowest priority.
        enum Raising: String, CaseIterable, Sendable {
            case partThatBegins, partThatRuns, sequence, asWorkersCome

            @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
            func check() async throws {
                let log = EventLog(), begun = Gate()
                let work = { @Sendable () -> Int in
                    begun.open()
                    let limit = ContinuousClock.now + .seconds(300)
                    while Task.currentPriority < .high, ContinuousClock.now < limit {}
                    log("\(Task.currentPriority >= .high)")
                    return 1
                }
                switch self {
                case .partThatBegins:
                    let joined = ResponseFuture<[Int]>(childFutures: [ResponseFuture { work() }, ResponseFuture { 2 }])
                    Task(priority: .background) { joined.send() }
                    await begun.opened()
                    Task(priority: .high) { _ = await joined.result }
                case .partThatRuns:
                    let future = ResponseFuture { work() }
                    Task(priority: .background) { future.send() }
                    await begun.opened()
                    let joined = ResponseFuture<[Int]>(childFutures: [future])
                    Task(priority: .high) { joined.send() }
                case .sequence:
                    let future = ResponseFuture { work() }
                    Task(priority: .background) { future.send() }
                    await begun.opened()
                    Task(priority: .high) { for await _ in [future].resultsInOrder() {} }
                case .asWorkersCome:
                    for round in 0..<300 {
                        let joined = ResponseFuture<[Int]>(childFutures: [
                            ResponseFuture { work() }, ResponseFuture { 2 },
                        ])
                        let awaiter = await Task(priority: .background) {
                            defer { joined.send() }
                            return Task(priority: .high) {
                                for _ in 0..<(round * 10) { _ = Task.isCancelled }
                                return await joined.ending
                            }
                        }.value
                        try #require(await awaiter.value == "value [1, 2]")
                        try #require(log.events.last == "true", "\(round)")
                    }
                    return
                }
                try #require(await log.all(1) == ["true"])
            }
        }

        @Test(
            "ESCALATE: the part of a join that a worker has begun, and a future in flight, are raised",
            .oneProcessAtATime,
            arguments: Raising.allCases)
        func raised(raising: Raising) async {
            guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
            await #expect(processExitsWith: .success) { [name = raising.rawValue as String] in
                guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
                try await #require(Raising(rawValue: name)).check()
            }
        }
    }
#endif
