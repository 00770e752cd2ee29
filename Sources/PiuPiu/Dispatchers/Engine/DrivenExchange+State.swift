import Dispatch

extension DrivenExchange {
    /// The reasons for back-pressure on the server.
    struct Holds: OptionSet {
        let rawValue: Int
        /// The reader has paused.
        static let reader = Holds(rawValue: 1)
        /// Too many bytes wait for delivery.
        static let line = Holds(rawValue: 2)
    }

    /// A value of its own: a bare closure takes two allocations on its way out of the lock.
    struct Receiver: Sendable {
        let receive: @Sendable (TransferEvent) -> Void
    }

    struct State {
        var course: TransferCourse
        /// The handle of the running hop, once the engine has returned it.
        var handle: (any TransferHandle)?
        var receiver: Receiver?

        var holds: Holds = []
        /// Whether the engine was last asked to pause, and whether a thread is asking it right now.
        var isHeldUp = false
        var isApplyingHolds = false

        /// Events that wait for the delivery of the one before them.
        var line = FirstInFirstOut<TransferEvent>()
        var isDelivering = false
        /// How many bytes of the body are in the line.
        var bytesInLine = 0
        /// How many bytes of the body have come, until the response has a queue.
        var bytesOnThread = 0
        /// Where a large response is delivered. Writing files and taking memory there doesn't block the engine's
        /// thread. It doesn't target a global queue, as that would block the few threads of tasks.
        var queue: DispatchQueue?

        /// Since when a stream waits for its turn; `nil` if it doesn't wait, and for other responses.
        var waitingSince: UInt64?
        /// When the hop began, or when the engine last reported an event; `nil` while no hop runs.
        var lastActivity: UInt64?
        /// How many lines of the engine the hop waits in, with nothing sent yet. Below zero if the end of a wait is
        /// reported before its start, from another thread.
        var waitsInEngine = 0
        var meter = HopMeter(start: 0)
        /// Follows a redirect whose body takes too long.
        var afterDrain: InheritingWork?

        /// Makes a step of the course. Returns it, and the handle of a hop that it ends.
        mutating func advance(
            at now: UInt64, _ step: (inout TransferCourse) -> TransferCourse.Step
        ) -> (TransferCourse.Step, (any TransferHandle)?) {
            // A slow body of a redirect doesn't extend its own time.
            if lastActivity != nil, !course.isDraining { lastActivity = now }
            let step = step(&course)
            switch step {
            case .nothing, .drain, .deliver, .ask: return (step, nil)
            case .goOn:
                if course.request.isStream { waitingSince = now }
                return (step, endHop())
            case .end: return (step, endHop())
            }
        }

        /// Counts a part of the body: a response that turns out to be large gets a queue.
        mutating func count(_ event: TransferEvent) {
            guard queue == nil, case .body(let chunk) = event else { return }
            bytesOnThread += chunk.count
            if bytesOnThread > DrivenExchange.smallLimit { queue = DrivenExchange.makeQueue() }
        }

        /// Enqueues an event.
        mutating func enqueue(_ event: TransferEvent) {
            line.append(event)
            guard case .body(let chunk) = event else { return }
            bytesInLine += chunk.count
            if bytesInLine > DrivenExchange.lineLimit { holds.insert(.line) }
        }

        /// An event is about to be delivered. Returns the receiver; `nil` after the last event.
        mutating func beginDelivery(_ event: TransferEvent) -> Receiver? {
            isDelivering = true
            guard event.isTerminal else { return receiver }
            line.removeAll()
            return receiver.take()
        }

        /// The hop is over. Returns its handle; later events of it are ignored.
        mutating func endHop() -> (any TransferHandle)? {
            lastActivity = nil
            waitsInEngine = 0
            isHeldUp = false
            afterDrain = nil
            return handle.take()
        }
    }
}
