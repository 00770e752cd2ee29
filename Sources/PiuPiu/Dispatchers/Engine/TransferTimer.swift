import Dispatch

/// The time that limits of exchanges are measured by, so that tests can bring a time of their own.
package struct TransferTimer: Sendable {
    /// An instant in nanoseconds, which never goes back.
    package let now: @Sendable () -> UInt64

    /// Runs a closure at an instant, off the main thread.
    package let schedule: @Sendable (_ instant: UInt64, _ body: @escaping @Sendable () -> Void) -> Void

    package init(
        now: @escaping @Sendable () -> UInt64,
        schedule: @escaping @Sendable (UInt64, @escaping @Sendable () -> Void) -> Void
    ) {
        self.now = now
        self.schedule = schedule
    }

    /// The time of the machine.
    package static let system: TransferTimer = {
        let queue = DispatchQueue(label: "PiuPiu.timer")
        return TransferTimer(
            now: { DispatchTime.now().uptimeNanoseconds },
            schedule: { instant, body in
                queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: instant), execute: body)
            })
    }()
}
