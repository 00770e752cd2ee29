/// Replaces recursion by a loop: cancelling a task cancels the one that it waits for, and releasing a link releases the
/// one above, up to a million times (contract rule DEPTH).
///
/// The outermost call performs all steps; nested calls on the same thread enqueue theirs with it.
package final class Trampoline {
    private enum Step {
        case cancel(WorkTask)
        case release((any Sendable)?)
    }

    /// That of the outermost call on this thread.
    private static let current = ThreadLocal<Trampoline>()

    /// The steps left.
    private var steps: [Step] = []

    private init() {}

    /// Cancels the task before this returns, unless it is called from inside another step.
    static func cancel(_ work: WorkTask) {
        perform(.cancel(work))
    }

    /// Releases what refers to a link, such as the link below it or a closure, before this returns, unless it is called
    /// from inside another step.
    ///
    /// - Parameter content: taken out of its place, so that nothing up the stack retains it any longer.
    package static func release<Content: Sendable>(_ content: inout Content?) {
        guard content != nil else { return }
        perform(.release(content.take()))
    }

    private static func perform(_ step: consuming Step) {
        if let current = current.current { return current.steps.append(step) }
        let trampoline = Trampoline()
        trampoline.steps.append(step)
        step = .release(nil)
        current.withValue(trampoline) {
            while let step = trampoline.steps.popLast() {
                if case .cancel(let work) = step { work.cancel() }
            }
        }
    }
}
