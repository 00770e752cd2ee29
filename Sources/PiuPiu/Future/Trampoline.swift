/// Does one after the other what would otherwise call itself: cancelling a task cancels the one that it waits for, and
/// letting go of a link lets go of the one above, a million times over (contract rule DEPTH).
///
/// The outermost call does all there is to do; those that it leads to, on the same thread, leave theirs with it.
package final class Trampoline: Sendable {
    private enum Step: Sendable {
        case cancel(Task<Void, Never>)
        case cancelStarting(StartingTask)
        case cancelFuture(AnyResponseFuture)
        case letGo(AnyResponseFuture?)
        case letGoOfContent((any Sendable)?)
    }

    @TaskLocal private static var current: Trampoline?

    /// What is left to do; `nil` when the outermost call is over, as a task begun in between inherits ``current``.
    private let steps = Locked<[Step]?>([])

    private init() {}

    /// Cancels the task before this returns, unless it is called from inside another step.
    static func cancel(_ task: Task<Void, Never>) {
        perform { .cancel(task) }
    }

    /// The same for a task that nobody has a handle for.
    static func cancel(_ task: StartingTask) {
        perform { .cancelStarting(task) }
    }

    /// The same for a future that has not been started.
    static func cancel(_ future: AnyResponseFuture) {
        perform { .cancelFuture(future) }
    }

    /// Lets go of the link before this returns, unless it is called from inside another step.
    ///
    /// - Parameter link: taken out of its place, so that nobody up the stack holds it any longer.
    static func letGo(_ link: inout AnyResponseFuture?) {
        perform { .letGo(link.take()) }
    }

    /// Lets go of what refers to a link of another kind, such as a closure, in the same way.
    package static func letGo<Content: Sendable>(_ content: inout Content?) {
        guard content != nil else { return }
        perform { .letGoOfContent(content.take()) }
    }

    private static func perform(_ step: () -> Step) {
        if let current, current.add(step) { return }
        let trampoline = Trampoline()
        _ = trampoline.add(step)
        $current.withValue(trampoline) {
            while let step = trampoline.takeStep() {
                switch step {
                case .cancel(let task): task.cancel()
                case .cancelStarting(let task): task.cancel()
                case .cancelFuture(let future): future.cancel()
                case .letGo, .letGoOfContent: break
                }
            }
        }
    }

    private func add(_ step: () -> Step) -> Bool {
        steps.withLock { steps in
            steps?.append(step()) != nil
        }
    }

    private func takeStep() -> Step? {
        steps.withLock { steps in
            if let step = steps?.popLast() { return step }
            steps = nil
            return nil
        }
    }
}
