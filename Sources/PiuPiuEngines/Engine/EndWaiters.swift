/// The tasks that wait until the last exchange has ended.
struct EndWaiters: Sendable {
    private let gates = Locked<[PauseGate]>([])

    /// Suspends until ``open()``, unless it is over already, or the task is cancelled.
    func wait(unless isOver: () -> Bool) async {
        let gate = PauseGate()
        gate.close()
        gates.withLock { $0.append(gate) }
        // The last one may have ended before the gate was on the list.
        if isOver() { open() }
        await gate.pass()
    }

    /// The last exchange has ended.
    func open() {
        let opened = gates.withLock { gates in
            defer { gates = [] }
            return gates
        }
        for gate in opened { gate.open() }
    }
}
