import PiuPiu
import TestSupport
import Testing

private enum Traits {
    @TaskLocal static var name = "nobody"
}

@Suite("Futures in task groups", .timeLimit(.minutes(10)))
struct TaskGroupFutureTests {
    @Test("GROUPS: a throwing group gives the values")
    func throwingValues() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addFuture(ResponseFuture(result: 1), name: "one", priority: .high)
            group.addFutures((2...4).map { ResponseFuture(result: $0) })
            let isAdded = group.addFutureUnlessCancelled(ResponseFuture(result: 5))
            #expect(isAdded)
            return try await group.reduce(0, +)
        }
        #expect(sum == 15)
    }

    @Test("GROUPS, DOWN: in a throwing group the first failure cancels the siblings, down to their work")
    func throwingFailure() async {
        let controlled = ControlledFutures()
        await #expect(throws: Mishap(number: 1)) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addFutures((0..<3).map(controlled.future))
                await controlled.log.wait(for: 3)
                controlled.fail(1)
                for try await _ in group {}
            }
        }
        #expect(Set(await controlled.log.all(5).dropFirst(3)) == ["cancel 0", "cancel 2"])
    }

    @Test("GROUPS: a group of results gives failures and cancellations as values, and cancels no sibling")
    func results() async {
        let endings = await withTaskGroup(of: Result<Int, any Error>.self) { group in
            group.addFuture(ResponseFuture(result: 1), name: "one")
            group.addFutures([ResponseFuture(error: Mishap(number: 2)), ResponseFuture { $0.cancel() }])
            let isAdded = group.addFutureUnlessCancelled(ResponseFuture { 4 })
            #expect(isAdded)
            return await group.reduce(into: Set<String>()) { $0.insert("\($1)") }
        }
        #expect(
            endings == [
                "success(1)", "failure(TestSupport.Mishap(number: 2))", "failure(Swift.CancellationError())",
                "success(4)",
            ])
    }

    @Test("GROUPS: a throwing discarding group cancels the siblings at the first failure and throws it")
    func throwingDiscarding() async {
        let controlled = ControlledFutures()
        await #expect(throws: Mishap(number: 2)) {
            try await withThrowingDiscardingTaskGroup { group in
                group.addFuture(controlled.future(0).then { "\($0)" }, name: "text")
                group.addFutures((1..<3).map(controlled.future))
                let isAdded = group.addFutureUnlessCancelled(controlled.future(3))
                #expect(isAdded)
                await controlled.log.wait(for: 4)
                controlled.succeed(1)
                controlled.fail(2)
            }
        }
        #expect(Set(await controlled.log.all(6).dropFirst(4)) == ["cancel 0", "cancel 3"])
    }

    @Test("GROUPS: a cancelled future fails a throwing discarding group with CancellationError")
    func throwingDiscardingCancellation() async {
        await #expect(throws: CancellationError.self) {
            try await withThrowingDiscardingTaskGroup { $0.addFuture(ResponseFuture<Int> { $0.cancel() }) }
        }
    }

    @Test("GROUPS: a discarding group ignores failures, and waits for all")
    func discarding() async {
        let kept = ResponseFuture { 4 }
        await withDiscardingTaskGroup { group in
            group.addFuture(ResponseFuture<Int>(error: Mishap()), name: "failing")
            group.addFutures([ResponseFuture<String> { $0.cancel() }])
            let isAdded = group.addFutureUnlessCancelled(kept)
            #expect(isAdded)
        }
        #expect(kept.status == .success)
    }

    @Test("GROUPS, DOWN: cancelling the group's task cancels the futures", arguments: 0..<4)
    func cancelledFromOutside(kind: Int) async {
        let controlled = ControlledFutures()
        let task = Task {
            let futures = (0..<2).map(controlled.future)
            switch kind {
            case 0:
                try? await withThrowingTaskGroup(of: Int.self) { group in
                    group.addFutures(futures)
                    for try await _ in group {}
                }
            case 1: await withTaskGroup(of: Result<Int, any Error>.self) { $0.addFutures(futures) }
            case 2: try? await withThrowingDiscardingTaskGroup { $0.addFutures(futures) }
            default: await withDiscardingTaskGroup { $0.addFutures(futures) }
            }
        }
        await controlled.log.wait(for: 2)
        task.cancel()
        await task.value
        #expect(Set(await controlled.log.all(4).dropFirst(2)) == ["cancel 0", "cancel 1"])
    }

    @Test("EARLY: a cancelled group starts no future, and addFutureUnlessCancelled adds none")
    func cancelledBefore() async {
        let controlled = ControlledFutures()
        let added = await withTaskGroup(of: Result<Int, any Error>.self) { group in
            group.cancelAll()
            group.addFuture(controlled.future(0))
            return group.addFutureUnlessCancelled(controlled.future(1))
        }
        let addedThrowing = await withThrowingTaskGroup(of: Int.self) { group in
            group.cancelAll()
            group.addFuture(controlled.future(2))
            return group.addFutureUnlessCancelled(controlled.future(3))
        }
        let addedDiscarding = await withDiscardingTaskGroup { group in
            group.cancelAll()
            group.addFuture(controlled.future(4))
            return group.addFutureUnlessCancelled(controlled.future(5))
        }
        let addedThrowingDiscarding = try? await withThrowingDiscardingTaskGroup { group in
            group.cancelAll()
            return group.addFutureUnlessCancelled(controlled.future(6))
        }
        #expect([added, addedThrowing, addedDiscarding, addedThrowingDiscarding] == [false, false, false, false])
        #expect(controlled.log.events.isEmpty)
    }

    @Test("SHARED: cancelling the group leaves a future to its other awaiters")
    func shared() async {
        let controlled = ControlledFutures()
        let future = controlled.future(0)
        let other = Task { await future.ending }
        await controlled.log.wait(for: 1)
        await withTaskGroup(of: Result<Int, any Error>.self) { group in
            group.addFuture(future)
            group.cancelAll()
        }
        #expect(future.status == .started)
        controlled.succeed(0)
        #expect(await other.value == "value 0")
    }

    @Test("SAME, RELEASE: a future that only the child task has ends like one that others hold", arguments: 0..<6)
    func heldOrNot(kind: Int) async {
        let population = Population()
        func future() -> ResponseFuture<Int> {
            let member = population.member()
            return switch kind {
            case 0: ResponseFuture { withExtendedLifetime(member) { 1 } }
            case 1: ResponseFuture { throw Mishap(number: withExtendedLifetime(member) { 2 }) }
            case 2: ResponseFuture { future in withExtendedLifetime(member) { future.cancel() } }
            case 3: ResponseFuture { () async in withExtendedLifetime(member) { 3 } }.then { $0 + 1 }
            case 4:
                ResponseFuture { withExtendedLifetime(member) { Task.isCancelled ? 0 : 5 } }.flatMap { number in
                    ResponseFuture { () async in number }
                }
            default:
                ResponseFuture { withExtendedLifetime(member) { withUnsafeCurrentTask { $0?.cancel() } } }
                    .then { _ in 6 }
            }
        }
        func ending(of future: consuming ResponseFuture<Int>) async -> String {
            let handed = consume future
            return await withTaskGroup(of: Result<Int, any Error>.self) { group in
                group.addFuture(handed)
                return await group.next().map { "\($0)" } ?? "nothing"
            }
        }
        let held = future()
        #expect(await ending(of: future()) == ending(of: held))
        withExtendedLifetime(held) {}
        await population.extinct()
    }

    @Test(
        "INHERIT: the work has the adding task's task-local values, and its priority or the one given",
        arguments: 0..<4)
    func inherit(kind: Int) async throws {
        typealias Traced = (name: String, priority: TaskPriority)
        let futures = (0..<4).map { _ in ResponseFuture<Traced> { (Traits.name, Task.currentPriority) } }
        try await Traits.$name.withValue("adder") {
            try await Task(priority: .low) {
                switch kind {
                case 0:
                    try await withThrowingTaskGroup(of: Traced.self) { group in
                        group.addFuture(futures[0])
                        group.addFuture(futures[1], priority: .high)
                        group.addFutures([futures[2]], priority: .high)
                        _ = group.addFutureUnlessCancelled(futures[3], priority: .high)
                        for try await _ in group {}
                    }
                case 1:
                    await withTaskGroup(of: Result<Traced, any Error>.self) { group in
                        group.addFuture(futures[0])
                        group.addFuture(futures[1], priority: .high)
                        group.addFutures([futures[2]], priority: .high)
                        _ = group.addFutureUnlessCancelled(futures[3], priority: .high)
                    }
                case 2:
                    try await withThrowingDiscardingTaskGroup { group in
                        group.addFuture(futures[0])
                        group.addFuture(futures[1], priority: .high)
                        group.addFutures([futures[2]], priority: .high)
                        _ = group.addFutureUnlessCancelled(futures[3], priority: .high)
                    }
                default:
                    await withDiscardingTaskGroup { group in
                        group.addFuture(futures[0])
                        group.addFuture(futures[1], priority: .high)
                        group.addFutures([futures[2]], priority: .high)
                        _ = group.addFutureUnlessCancelled(futures[3], priority: .high)
                    }
                }
            }.value
        }
        for (number, future) in futures.enumerated() {
            let (name, priority) = try await future.value
            #expect(name == "adder")
            #expect(priority >= (number == 0 ? .low : .high))
            if number == 0 { #expect(priority < .high) }
        }
    }

    @Test("NO-MAIN: a group of futures runs while the main thread is blocked")
    func noMain() async throws {
        let sum = try await MainQueue.blocked {
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addFutures((1...10).map { number in ResponseFuture { number }.then { $0 * 2 } })
                return try await group.reduce(0, +)
            }
        }
        #expect(sum == 110)
    }
}
