/// Resumes tasks together, where a thread has several to resume in a row.
///
/// A task goes on in a thread of the pool. To wake one takes longer than most of what an engine does with an event. If
/// there is work between two resumptions, the thread that was woken for the first falls asleep before the second.
package final class Resumptions {
    /// Those that this thread collects.
    private static let current = ThreadLocal<Resumptions>()

    private var actions: [() -> Void] = []
    /// What comes after all of them.
    private var codeOfOthers: [() -> Void] = []

    private init() {}

    /// Does something that may resume tasks: they go on when all of it is done.
    package static func together(_ body: () -> Void) {
        let resumptions = Resumptions()
        current.withValue(resumptions, body)
        resumptions.perform()
        resumptions.callOthers()
    }

    /// Resumes a task: at once, or with the others that this thread resumes.
    package static func resume(_ action: @escaping () -> Void) {
        if let current = current.current { current.actions.append(action) } else { action() }
    }

    /// Calls code of others, which may wait for any task: those that are to be resumed go on first, and those that it
    /// resumes itself at once.
    package static func apart<Output>(_ body: () -> Output) -> Output {
        guard let collecting = current.current else { return body() }
        return current.withValue(nil) {
            collecting.perform()
            return body()
        }
    }

    /// Calls code of others which need not be called here, between tasks that are to be resumed: at once, or when those
    /// that this thread resumes have gone on.
    package static func afterwards(_ body: @escaping () -> Void) {
        if let current = current.current { current.codeOfOthers.append(body) } else { body() }
    }

    private func callOthers() {
        for body in codeOfOthers { body() }
    }

    private func perform() {
        let actions = actions
        self.actions = []
        for action in actions { action() }
    }
}
