/// An exchange that keeps a ``HandleRelay`` under its lock.
protocol RelayedExchange: AnyObject, Sendable {
    /// Runs `body` with the relay, under the lock.
    func withRelay<Output>(_ body: (inout HandleRelay) -> Output) -> Output
}

extension RelayedExchange {
    /// Gets the handle of the engine below.
    func attach(_ handle: any TransferHandle) {
        withRelay { $0.attach(handle) }
        apply()
    }

    /// Performs the pending acts on that handle.
    func apply() {
        while let act = withRelay({ $0.next() }) {
            act.perform()
            withRelay { $0.hasActed() }
        }
    }
}

extension RelayedExchange where Self: ExplainedHandle {
    func pause() { hold(true) }

    func resume() { hold(false) }

    func endWithAnswer(isUrgent: Bool) -> Bool { withRelay { $0.handle }?.endsWithAnswer(isUrgent: isUrgent) == true }

    func recover(from error: any Error) -> Bool { withRelay { $0.handle }?.goesOn(after: error) == true }

    private func hold(_ isHeld: Bool) {
        withRelay { $0.isHeld = isHeld }
        apply()
    }
}
