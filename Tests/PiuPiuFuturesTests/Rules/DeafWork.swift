import Dispatch
import PiuPiu
import TestSupport

/// Work that is deaf to cancellation: it goes on until the test releases it.
final class DeafWork: Sendable {
    /// What is deaf.
    enum Kind: CaseIterable, Sendable {
        /// An `async` operation, which waits for a continuation.
        case operation
        /// A chain on an operation, so that the operation itself is hidden.
        case chain
        /// A future that `flatMap` makes.
        case inner
        /// A transform that blocks a queue.
        case queue
        /// A part of a join.
        case join
    }

    private let kind: Kind
    private let begun = Gate()
    private let end = Gate()
    private let queueEnd = DispatchSemaphore(value: 0)

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// The work; to be called once.
    func future() -> ResponseFuture<Int> {
        switch kind {
        case .operation: operation()
        case .chain: operation().then { $0 }.then { $0 }
        case .inner: ResponseFuture { 1 }.flatMap { _ in self.operation() }
        case .queue: ResponseFuture(result: 1).then(on: DispatchQueue(label: "deaf")) { self.block(with: $0) }
        case .join: ResponseFuture { 1 }.join(operation()).then { $1 }
        }
    }

    private func operation() -> ResponseFuture<Int> {
        ResponseFuture { [self] in
            begun.open()
            await end.pass()
            return 1
        }
    }

    private func block(with number: Int) -> Int {
        begun.open()
        queueEnd.wait()
        return number
    }

    /// Suspends until the work has begun.
    func reached() async {
        await begun.opened()
    }

    /// Lets the work go on.
    func release() {
        end.open()
        queueEnd.signal()
    }
}
