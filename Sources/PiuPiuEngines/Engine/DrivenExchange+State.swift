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

    /// The final answer to a request that has a body.
    struct Answer {
        /// Whether its connection carries other exchanges, too: then it costs little to give up the rest of the body.
        let isMultiplexed: Bool
        /// Whether the engine hasn't been asked since the last event whether the answer is complete.
        var mayBeWhole = true
        /// Whether the engine is about to end the exchange with it.
        var isEnding = false
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
        /// How many lines of the engine the hop waits in, with nothing sent yet, and for how many disks. Below zero if
        /// the end of a wait is reported before its start, from another thread.
        var waitsInEngine = 0
        var meter = HopMeter(start: 0)
        /// How far the exchange has come, by its updates: for the error of a deadline that ends it before an answer.
        var stage = DeadlineExceeded.Stage.connecting
        /// The answer of the running hop, as far as it has come.
        var answer: Answer?
        /// Starts the hop after a redirect that may be reported outside of the engine's task.
        var nextHop: InheritingWork?
        /// The reason why the exchange was ended, for a handle that the engine hasn't returned yet.
        var endingReason: (any Error)?

        /// Makes a step of the course. Returns it, and what is left of a hop that it ends.
        mutating func advance(
            at now: UInt64, _ step: (inout TransferCourse) -> TransferCourse.Step
        ) -> (TransferCourse.Step, EndedHop) {
            // A slow body of a redirect doesn't extend its own time.
            if lastActivity != nil, !course.isDraining { lastActivity = now }
            let step = step(&course)
            switch step {
            case .nothing, .drain, .deliver, .ask: return (step, EndedHop())
            case .goOn:
                if course.request.isStream { waitingSince = now }
            case .end(let event, _):
                endingReason = event.error ?? CancellationError()
            }
            return (step, endHop())
        }

        /// Notes an event of the answer. Returns whether the engine is to be asked later if the answer is complete.
        mutating func noteAnswer(_ event: TransferEvent) -> Bool {
            switch event {
            case .head(let head, _):
                guard !course.request.body.isEmpty, head.status.map({ $0 >= 200 }) ?? true else { return false }
                answer = Answer(isMultiplexed: head.isMultiplexed)
                return true
            case .body, .sent:
                let wasEnding = answer?.isEnding == true
                // The server still takes the request's body, so the answer goes on.
                if case .sent = event { answer?.isEnding = false }
                // While it was about to end, nobody checked the time limits either.
                guard answer?.mayBeWhole == false else { return wasEnding && answer?.isEnding == false }
                answer?.mayBeWhole = true
                return true
            case .measured, .finished, .failed: return false
            }
        }

        /// Counts a part of a body: a response that turns out to be large gets a queue.
        mutating func count(_ event: TransferEvent) {
            if case .sent(let bytes, let expected) = event {
                stage = bytes >= expected ?? .max ? .responding : .sending
            }
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

        /// The hop is over; later events of it are ignored.
        mutating func endHop() -> EndedHop {
            lastActivity = nil
            answer = nil
            waitsInEngine = 0
            isHeldUp = false
            return EndedHop(handle: handle.take(), next: nextHop.take())
        }
    }

    /// What is left of a hop that is over, to be used and released outside the lock.
    struct EndedHop: Sendable {
        /// Its handle; `nil` if no hop has ended, or the engine hasn't returned it yet.
        var handle: (any TransferHandle)?
        /// Starts the next hop, if it can't be started where this one has ended.
        var next: InheritingWork?
    }
}

extension TransferEvent {
    /// The error of the exchange.
    var error: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}
