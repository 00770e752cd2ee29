/// Work that can be cancelled, such as a task.
@usableFromInline
package protocol CancellableWork: Sendable {
    /// Cancels it, from any thread.
    func cancel()
}

/// Replaces recursion by a loop: cancelling a task cancels the one that it waits for, and releasing a link releases the
/// one above, up to a million times (contract rule DEPTH).
///
/// The outermost call performs all steps; nested calls on the same thread enqueue theirs with it.
@usableFromInline
package final class Trampoline {
    private enum Step {
        case cancel(any CancellableWork)
        case release((any Sendable)?)
    }

    /// That of the outermost call on this thread.
    private static let current = ThreadLocal<Trampoline>()

    /// The steps left.
    private var steps: [Step] = []
    /// What waits until no step is left.
    private var actions: [() -> Void] = []

    private init() {}

    /// Cancels the tasks, the last one first, before this returns, unless it is called from inside another step.
    ///
    /// - Parameter action: is performed when they are cancelled.
    package static func cancel(_ work: [any CancellableWork], then action: @escaping () -> Void = {}) {
        guard !work.isEmpty else { return afterCancellations(action) }
        if let current = current.current {
            current.steps += work.map(Step.cancel)
            current.actions.append(action)
        } else {
            let trampoline = Trampoline()
            trampoline.steps = work.map(Step.cancel)
            trampoline.run()
            action()
        }
    }

    /// Releases what refers to a link, such as the link below it or a closure, before this returns, unless it is called
    /// from inside another step.
    ///
    /// - Parameter content: taken out of its place, so that nothing up the stack retains it any longer.
    @inlinable
    package static func release<Content: Sendable>(_ content: inout Content?) {
        guard content != nil else { return }
        release(taken: content.take())
    }

    /// How many calls of ``releasesHere(_:)`` are nested on a thread.
    private static let nesting = ThreadKey()

    private static let nestingLimit = 8

    /// Releases something that seldom refers to a link: on this stack, as ``release(_:)`` costs two allocations.
    ///
    /// - Parameter release: takes it out of its place, and releases it.
    /// - Returns: false, and the caller needs ``release(_:)``, if too many such calls are nested on this stack.
    package static func releasesHere(_ release: () -> Void) -> Bool { nesting.nest(upTo: nestingLimit, release) }

    /// Whether this is called from inside a step on this thread.
    package static var isRunning: Bool { current.current != nil }

    /// Performs an action that may begin other work: not before everything that is cancelled by the outermost call on
    /// this thread is cancelled, as that work may be a part of it.
    package static func afterCancellations(_ action: @escaping () -> Void) {
        if let current = current.current { current.actions.append(action) } else { action() }
    }

    // Not generic, unlike the function above.
    @usableFromInline
    static func release(taken content: consuming (any Sendable)?) {
        if let current = current.current { return current.steps.append(.release(content)) }
        let trampoline = Trampoline()
        trampoline.steps.append(.release(content))
        content = nil
        trampoline.run()
    }

    private func run() {
        Self.current.withValue(self) {
            while let step = steps.popLast() {
                if case .cancel(let work) = step { work.cancel() }
            }
        }
        for action in actions { action() }
    }
}
