/// Work that may have to be done later, with the priority and the task-local values of the task that makes this
/// (contract rule INHERIT).
final class InheritingWork: Sendable {
    private let gate = PauseGate()
    private let work = Locked<(@Sendable () -> Void)?>(nil)

    init() {
        gate.close()
        Task { [gate, work] in
            await gate.pass()
            work.withLock { $0.take() }?()
        }
    }

    /// Without work, the waiting task ends.
    deinit { gate.open() }

    /// Does the work, once.
    func run(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0 = work }
        gate.open()
    }
}
