import Dispatch
import Foundation
package import PiuPiu
import Testing

/// How a future can be reached beside its one use. No observable behaviour depends on it (contract rule SAME).
package enum Holding: CaseIterable, Sendable {
    /// Not at all: the use has the only reference.
    case temporary
    /// In a variable.
    case held
    /// Through a weak reference, as in a registry.
    case weakly
    /// In a closure that captures it.
    case captured

    /// Those that leave a reference to the future.
    package static let reachable: [Holding] = [.held, .weakly, .captured]
}

/// Holds a future in one of these ways.
package final class Keeper<Success: Sendable>: Sendable {
    private let holding: Holding
    private let variable = Box<ResponseFuture<Success>>()
    private let closure = Box<@Sendable () -> ResponseFuture<Success>?>()
    private let isFilled = Gate()

    package init(_ holding: Holding) {
        self.holding = holding
    }

    /// The future, if it can be reached.
    package var future: ResponseFuture<Success>? { variable.value ?? closure.value?() }

    /// Takes the future, and returns it for its one use, without another reference.
    package func keep(_ future: consuming ResponseFuture<Success>) -> ResponseFuture<Success> {
        let kept = consume future
        switch holding {
        case .temporary: break
        case .held: variable.value = kept
        case .weakly:
            let reference = Weak(kept)
            closure.value = { reference.object }
        case .captured: closure.value = { kept }
        }
        isFilled.open()
        return kept
    }

    /// Suspends until there is a future.
    package func filled() async {
        await isFilled.opened()
    }

    /// Suspends until the future, if it can be reached, has been cancelled.
    package func cancelled() async {
        guard let future else { return }
        let isCancelled = Gate()
        _ = future.onCancellation { isCancelled.open() }
        await isCancelled.opened()
        #expect(future.status == .cancelled)
    }

    /// Releases the future.
    package func release() {
        variable.value = nil
        closure.value = nil
    }
}

/// A task that awaits a future. A test's time limit can end the wait for its outcome, even if the
/// await never ends.
package struct Awaiting: Sendable {
    private let log = EventLog()
    private let task: Task<Void, Never>

    /// A task that awaits the future from `make`, with no other reference to it, unless `make` keeps one.
    ///
    /// - Parameter isVariable: whether the future is a variable whose last use is the await, and not a temporary.
    package init<Success: Sendable>(
        isVariable: Bool = false, _ make: @escaping @Sendable () -> ResponseFuture<Success>
    ) {
        if isVariable {
            self.init(running: {
                let future = make()
                return "\(try await future.value)"
            })
        } else {
            self.init(running: { "\(try await make().value)" })
        }
    }

    /// A task that awaits a future in its own way.
    package init(running value: @escaping @Sendable () async throws -> String) {
        task = Task { [log] in
            do {
                log("value \(try await value())")
            } catch is CancellationError {
                log("cancelled")
            } catch {
                log("error \(error)")
            }
        }
    }

    /// A task that has reached its await already.
    package init<Success: Sendable>(now future: ResponseFuture<Success>) {
        let body = { @Sendable [log] in log(await future.ending) }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            task = Task.immediate(operation: body)
        } else {
            task = Task(operation: body)
        }
    }

    /// The outcome in a word.
    package var ending: String { get async { await log.all(1).first ?? "nothing" } }

    /// Suspends until the await is over.
    package func ended() async { await log.wait(for: 1) }

    package func cancel() { task.cancel() }
}

/// Work of different kinds that waits at a gate, heeds its cancellation, and returns 1.
package enum WaitingWork: CaseIterable, Sendable {
    /// An `async` operation.
    case operation
    /// A future that `flatMap` makes.
    case inner
    /// A part of a join.
    case part
    /// A legacy action.
    case action

    package func future(at gate: Gate, cancelled: Gate = Gate()) -> ResponseFuture<Int> {
        switch self {
        case .operation: return waiting(at: gate, cancelled: cancelled)
        case .inner: return ResponseFuture { 1 }.flatMap { _ in waiting(at: gate, cancelled: cancelled) }
        case .part: return ResponseFuture { 1 }.join(waiting(at: gate, cancelled: cancelled)).then { $1 }
        case .action:
            return ResponseFuture<Int> { (future: ResponseFuture<Int>) in
                let task = Task {
                    await gate.pass()
                    future.succeed(with: 1)
                }
                _ = future.onCancellation {
                    cancelled.open()
                    task.cancel()
                }
            }
        }
    }
}

/// Work that waits at a gate, heeds its cancellation, and opens a gate for it.
package func waiting(at gate: Gate, cancelled: Gate = Gate()) -> ResponseFuture<Int> {
    ResponseFuture {
        try await withTaskCancellationHandler {
            try await gate.passUnlessCancelled()
        } onCancel: {
            cancelled.open()
        }
        return 1
    }
}

/// Occupies its thread until its task is cancelled. It gives up after a while, so that a core that doesn't cancel it
/// fails a test, but doesn't lose a thread of the pool for good: after more time than a busy machine takes.
package func spinUntilCancelled() throws -> Int {
    let end = ContinuousClock.now + .seconds(120)
    while !Task.isCancelled {
        if ContinuousClock.now > end { throw Mishap(number: -1) }
    }
    throw CancellationError()
}

/// Runs two bodies on two threads as nearly at once as possible. The first starts `lead` short moments later, or
/// the second if it is negative.
package func onTwoThreads(
    lead: Int, _ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void
) async {
    let ready = Counter(), group = DispatchGroup()
    for (body, moments) in [(first, lead), (second, -lead)] {
        group.enter()
        Thread.detachNewThread {
            ready.increment()
            // On a busy machine the other thread may need this core.
            while ready.value < 2 { sched_yield() }
            for _ in 0..<max(moments, 0) { _ = ready.value }
            body()
            group.leave()
        }
    }
    await withCheckedContinuation { continuation in
        group.notify(queue: .global()) { continuation.resume() }
    }
}
