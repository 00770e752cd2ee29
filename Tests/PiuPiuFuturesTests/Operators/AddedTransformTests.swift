import PiuPiu
import TestSupport
import Testing

/// Transforms of a chain whose middle nothing else can reach: many of them share one link.
@Suite("Transforms that share a link", .timeLimit(.minutes(10)))
struct AddedTransformTests {
    enum Root: CaseIterable {
        case immediate, value, asynchronous, shared

        /// A future of 0, and its owner.
        func make() -> (future: ResponseFuture<Int>, owner: ResponseFuture<Int>?) {
            switch self {
            case .immediate: return (ResponseFuture { 0 }, nil)
            case .value: return (ResponseFuture(result: 0), nil)
            case .asynchronous: return (ResponseFuture { await Task { 0 }.value }, nil)
            case .shared:
                let owner = ResponseFuture { await Task { 0 }.value }
                return (owner, owner)
            }
        }
    }

    // A recursion, so that each link is a temporary, without the optimiser, too.

    private static func counting(_ root: consuming ResponseFuture<Int>, to length: Int) -> ResponseFuture<Int> {
        length == 0 ? root : counting(root, to: length - 1).then { $0 + 1 }
    }

    private static func spelling(_ root: consuming ResponseFuture<Int>, to length: Int) -> ResponseFuture<Int> {
        length == 0 ? root : spelling(root, to: length - 1).then { "\($0 + 1)" }.then { Int($0) ?? -1 }
    }

    @Test(
        "DEPTH, ONCE: chains of any length have their value, of one type or of several",
        arguments: Root.allCases, [1, 2, 3, 49, 50, 51, 52, 99, 100, 101, 149, 151, 400])
    func lengths(root: Root, length: Int) async throws {
        let (first, firstOwner) = root.make(), (second, secondOwner) = root.make()
        #expect(try await Self.counting(first, to: length).value == length)
        #expect(try await Self.spelling(second, to: length).value == length)
        let (third, thirdOwner) = root.make(), (fourth, fourthOwner) = root.make()
        let held = Self.counting(third, to: length), other = Self.spelling(fourth, to: length)
        held.send()
        #expect(try await held.value == length)
        #expect(try await other.value == length)
        #expect(try await held.value == length)
        withExtendedLifetime((firstOwner, secondOwner, thirdOwner, fourthOwner)) {}
    }

    /// Futures inside each other, each with so many transforms.
    @Sendable private static func nested(_ level: Int, _ length: Int) -> ResponseFuture<Int> {
        let inner = ResponseFuture { level }.flatMap { $0 == 0 ? ResponseFuture { 0 } : nested($0 - 1, length) }
        return counting(inner, to: length)
    }

    @Test("DEPTH: futures that `flatMap` makes, with many transforms each", arguments: [1, 5, 20, 49, 60])
    func nested(length: Int) async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        // All of the work runs on the small stack.
        let task = await onSmallStack { Task.immediate { try await Self.nested(200, length).value } }
        #expect(try await task.value == 201 * length)
    }

    @Test(
        "SAME, RELEASE: what a transform has captured is released before the next one runs",
        arguments: Root.allCases, [true, false])
    func released(root: Root, isHeld: Bool) async throws {
        let alive = Population(), counts = EventLog(), (first, owner) = root.make()
        func capturing(_ root: consuming ResponseFuture<Int>, _ length: Int) -> ResponseFuture<Int> {
            if length == 0 { return root }
            return capturing(root, length - 1).then { [member = alive.member()] number in
                withExtendedLifetime(member) { counts("\(alive.count)") }
                return number + 1
            }
        }
        let future = capturing(first, 5)
        #expect(alive.count == 5)
        if isHeld {
            #expect(try await future.value == 5)
        } else {
            #expect(try await (consume future).value == 5)
        }
        #expect(await counts.all(5) == ["5", "4", "3", "2", "1"])
        #expect(alive.count == 0)
        withExtendedLifetime(owner) {}
    }

    @Test("UNSENT: a chain that never runs releases what it captured", arguments: [1, 60, 300])
    func unsent(length: Int) {
        let alive = Population()
        func capturing(_ length: Int) -> ResponseFuture<Int> {
            if length == 0 { return ResponseFuture { 0 } }
            return capturing(length - 1).then { [member = alive.member()] number in
                withExtendedLifetime(member) { number }
            }
        }
        var future: ResponseFuture<Int>? = capturing(length)
        #expect(future?.status == .created)
        #expect(alive.count == length)
        future = nil
        #expect(alive.count == 0)
    }

    @Test("UP: a transform after one that has cancelled the chain doesn't run", arguments: Root.allCases)
    func cancelled(root: Root) async {
        let runs = Counter(), (first, owner) = root.make()
        let task = Task {
            try await first.then { number in
                withUnsafeCurrentTask { $0?.cancel() }
                return number
            }
            .then { number in
                runs.increment()
                return "\(number)"
            }
            .then(\.count).value
        }
        let result = await task.result
        #expect(throws: CancellationError.self) { try result.get() }
        #expect(runs.value == 0)
        withExtendedLifetime(owner) {}
    }

    @Test("SAME: a future that others have stays a future of its own", arguments: [true, false])
    func others(isWeak: Bool) async throws {
        let keeper = Keeper<Int>(isWeak ? .weakly : .held)
        let chain = keeper.keep(ResponseFuture { 1 }.then { $0 + 1 }).then { $0 * 10 }.then { $0 + 1 }
        let middle = try #require(keeper.future)
        #expect(middle.status == .created)
        #expect(try await middle.value == 2)
        #expect(try await chain.value == 21)
    }

    @Test("A chain has no origin, whether or not its transforms share a link")
    func description() {
        let root = ResponseFuture { 1 }
        #expect("\(root.then { $0 + 1 })" == "ResponseFuture<Int>(created)")
        #expect("\(ResponseFuture { 1 }.then { $0 + 1 })" == "ResponseFuture<Int>(created)")
        #expect("\(ResponseFuture { 1 }.then { "\($0)" })" == "ResponseFuture<String>(created)")
        #expect("\(root)".contains("AddedTransformTests.swift"))
    }
}
