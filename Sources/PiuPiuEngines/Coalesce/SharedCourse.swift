/// The decisions of one shared exchange: which caller gets which event, and which callers are still interested.
///
/// A pure value that returns what to do; ``SharedExchange`` keeps it under a lock. Callers have numbers.
package struct SharedCourse: Sendable {
    /// The result of joining.
    package enum Join: Sendable, Equatable {
        /// It is too late.
        case late
        /// The caller gets the coming events.
        case joined
        /// The caller also gets the earlier events: call ``next(for:)``.
        case joinedLate
    }

    /// The result of leaving.
    package struct Leave: Sendable, Equatable {
        /// Whether the caller still has to get its failure: call ``next(for:)``.
        package var mustDeliver: Bool
        /// Whether no caller is interested any more.
        package var isAbandoned: Bool

        package init(mustDeliver: Bool = false, isAbandoned: Bool = false) {
            self.mustDeliver = mustDeliver
            self.isAbandoned = isAbandoned
        }
    }

    private struct Caller: Sendable {
        /// How many of the kept events it has received.
        var position = 0
        /// The last sign that the exchange goes on, until it has received it.
        var sign: TransferEvent?
        /// Whether a thread is delivering to it.
        var isDelivering = false
        var isPaused = false
        /// Why it has left.
        var failure: (any Error)?

        /// Takes its next event; `nil` if there is none, or it has paused.
        mutating func takeNext(of events: [TransferEvent]) -> TransferEvent? {
            guard !isPaused else { return nil }
            guard position < events.count else { return sign.take() }
            defer { position += 1 }
            return events[position]
        }
    }

    /// The events since the last head, for callers that join later.
    private var events: [TransferEvent] = []
    private var callers: [Int: Caller] = [:]
    private var interested = 0
    private var paused = 0
    /// Whether the exchange waits for its turn below.
    package private(set) var waits = false
    /// Whether its turn has come below.
    package private(set) var hasBegun = false

    /// Whether there is an outcome, or no caller is interested any more: then none can join.
    package private(set) var isClosed = false

    package init() {}

    /// Whether to exert back-pressure: all interested callers are paused. Events are kept anyway for callers that join
    /// later, so a single slow caller costs nothing.
    package var isHeld: Bool { interested > 0 && paused == interested }

    /// Adds a caller, unless there is an outcome (rule WHEN).
    package mutating func join(_ id: Int) -> Join {
        guard !isClosed else { return .late }
        callers[id] = Caller(isDelivering: !events.isEmpty)
        interested += 1
        return events.isEmpty ? .joined : .joinedLate
    }

    /// A caller has lost interest (rule INTEREST).
    package mutating func leave(_ id: Int, because error: any Error) -> Leave {
        guard let caller = callers[id], caller.failure == nil else { return Leave() }
        callers[id]?.failure = error
        callers[id]?.isDelivering = true
        interested -= 1
        if caller.isPaused { paused -= 1 }
        let isAbandoned = interested == 0 && !isClosed
        if isAbandoned { isClosed = true }
        return Leave(mustDeliver: !caller.isDelivering, isAbandoned: isAbandoned)
    }

    /// The engine has reported an event. Returns the callers to call `next` for.
    package mutating func received(_ event: TransferEvent) -> [Int] {
        guard !isClosed else { return [] }
        switch event {
        // A request with a body isn't shared, so this only shows that the exchange goes on. There may be many.
        case .sent:
            for id in callers.keys { callers[id]?.sign = event }
        // A second head replaces the first and its body.
        case .head:
            events = [event]
            for id in callers.keys { callers[id]?.position = 0 }
        case .body, .measured, .finished, .failed:
            events.append(event)
            if event.isTerminal { isClosed = true }
        }
        var ready: [Int] = []
        for (id, caller) in callers where !caller.isDelivering && !caller.isPaused {
            callers[id]?.isDelivering = true
            ready.append(id)
        }
        return ready
    }

    /// The next event for a caller; `nil` if there is none now, which ends the delivery to it.
    package mutating func next(for id: Int) -> TransferEvent? {
        guard var caller = callers[id] else { return nil }
        if let failure = caller.failure {
            remove(id)
            return .failed(failure)
        }
        guard let event = caller.takeNext(of: events) else {
            callers[id]?.isDelivering = false
            return nil
        }
        callers[id] = caller
        if event.isTerminal {
            interested -= 1
            remove(id)
        }
        return event
    }

    /// A caller has received its last event. After the last caller, the events are released.
    private mutating func remove(_ id: Int) {
        callers[id] = nil
        if isClosed, callers.isEmpty { events = [] }
    }

    /// A caller pauses.
    package mutating func pause(_ id: Int) {
        guard let caller = callers[id], caller.failure == nil, !caller.isPaused else { return }
        callers[id]?.isPaused = true
        paused += 1
    }

    /// A caller resumes. Returns whether to call `next` for it.
    package mutating func resume(_ id: Int) -> Bool {
        guard let caller = callers[id], caller.failure == nil, caller.isPaused else { return false }
        callers[id]?.isPaused = false
        callers[id]?.isDelivering = true
        paused -= 1
        return !caller.isDelivering
    }

    /// The exchange waits for its turn below, or its turn has come. Returns the callers to notify.
    package mutating func setWaits(_ waits: Bool) -> [Int] {
        self.waits = waits
        if !waits { hasBegun = true }
        return callers.filter { $0.value.failure == nil }.map(\.key)
    }
}
