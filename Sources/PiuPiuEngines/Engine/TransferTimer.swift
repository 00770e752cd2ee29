// Sound: a source of libdispatch may be cancelled from any thread, and an active one is only cancelled here.
@preconcurrency import Dispatch

/// The clock for the limits of exchanges, which tests can replace.
package struct TransferTimer: Sendable {
    /// Cancels a scheduled closure, from any thread and any number of times.
    package typealias Cancel = @Sendable () -> Void

    /// An instant in nanoseconds, which never decreases.
    package let now: @Sendable () -> UInt64

    /// Runs a closure at an instant, off the main thread. The closure is released afterwards, or when it is cancelled.
    package let schedule: @Sendable (_ instant: UInt64, _ body: @escaping @Sendable () -> Void) -> Cancel

    package init(
        now: @escaping @Sendable () -> UInt64,
        schedule: @escaping @Sendable (UInt64, @escaping @Sendable () -> Void) -> Cancel
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
                // Not `asyncAfter`, which can't be cancelled: each released engine would leave one behind for a minute.
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler(handler: body)
                source.schedule(deadline: DispatchTime(uptimeNanoseconds: instant))
                source.activate()
                return { source.cancel() }
            })
    }()
}
