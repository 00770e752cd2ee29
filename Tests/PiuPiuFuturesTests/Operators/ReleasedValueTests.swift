import PiuPiu
import TestSupport
import Testing

/// In an endless recursion through one of these operators, all values or errors would be retained otherwise.
@Suite("What an operator has passed to its closure, while the next future runs", .timeLimit(.minutes(10)))
struct ReleasedValueTests {
    /// The operators that go on with a future that they make of a value.
    enum Continuation: CaseIterable, Sendable {
        case flatMap, asyncFlatMap, replace

        func applied(
            to first: consuming ResponseFuture<Population.Member>, _ next: @escaping @Sendable () -> ResponseFuture<Int>
        ) -> ResponseFuture<Int> {
            switch self {
            case .flatMap: first.flatMap { _ in next() }
            case .asyncFlatMap: first.flatMap { _ in await suspended(next()) }
            case .replace: first.replace { _ in next() }
            }
        }
    }

    /// The operators that go on with a future that they make of an error.
    enum Recovery: CaseIterable, Sendable {
        case recover, asyncRecover, recoverOnly, asyncRecoverOnly, retry

        func applied(
            to first: @escaping @Sendable () -> ResponseFuture<Int>,
            _ next: @escaping @Sendable () -> ResponseFuture<Int>
        ) -> ResponseFuture<Int> {
            switch self {
            case .recover: first().recover { _ in next() }
            case .asyncRecover: first().recover { _ in await suspended(next()) }
            case .recoverOnly: first().recover(only: Carrying.self) { _ in next() }
            case .asyncRecoverOnly: first().recover(only: Carrying.self) { _ in await suspended(next()) }
            case .retry: Self.retrying(Counter(), first, next)
            }
        }

        private static func retrying(
            _ attempts: Counter, _ first: @escaping @Sendable () -> ResponseFuture<Int>,
            _ next: @escaping @Sendable () -> ResponseFuture<Int>
        ) -> ResponseFuture<Int> {
            .retry(2) { attempts.increment() == 1 ? first() : next() }
        }
    }

    /// An error with an object whose release is counted.
    fileprivate struct Carrying: Error {
        let member: Population.Member
    }

    @Test("RELEASE: the value is released", arguments: Continuation.allCases, [false, true])
    func value(continuation: Continuation, isTransformed: Bool) async {
        let members = Population(), gate = Gate()
        let awaiter = Awaiting {
            let first = ResponseFuture { () async throws -> Population.Member in members.member() }
            return continuation.applied(to: isTransformed ? first.then { $0 } : first) { waiting(at: gate) }
        }
        await gate.reached()
        await members.extinct()
        gate.open()
        #expect(await awaiter.ending == "value 1")
    }

    @Test("RELEASE: the error is released", arguments: Recovery.allCases, [false, true])
    func error(recovery: Recovery, isTransformed: Bool) async {
        let members = Population(), gate = Gate()
        let awaiter = Awaiting {
            recovery.applied(to: {
                let first = ResponseFuture { () async throws -> Int in throw Carrying(member: members.member()) }
                return isTransformed ? first.then { $0 } : first
            }) {
                waiting(at: gate)
            }
        }
        await gate.reached()
        await members.extinct()
        gate.open()
        #expect(await awaiter.ending == "value 1")
    }
}

private func suspended(_ future: ResponseFuture<Int>) async -> ResponseFuture<Int> { future }
