// Sound: a source of libdispatch may be cancelled from any thread, and nothing else is done with one once it is active.
@preconcurrency import Dispatch

/// The time that limits of exchanges are measured by, so that tests can bring a time of their own.
package struct TransferTimer: Sendable {
    /// Ends what was scheduled, from any thread and any number of times.
    package typealias Cancel = @Sendable () -> Void

    /// An instant in nanoseconds, which never goes back.
    package let now: @Sendable () -> UInt64

    /// Runs a closure at an instant, off the main thread. The closure is released after that, or when it is cancelled.
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
                // Not `asyncAfter`, which nothing takes back: each engine that is gone would leave one for a minute.
                let source = DispatchSource.makeTimerSource(queue: queue)
                source.setEventHandler(handler: body)
                source.schedule(deadline: DispatchTime(uptimeNanoseconds: instant))
                source.activate()
                return { source.cancel() }
            })
    }()
}
