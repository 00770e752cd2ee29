import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a dispatcher: carries out what its ``TransferCourse`` decides, hop by hop.
///
/// It refers to its driver, and each hop that an engine runs refers to it, so that a running exchange keeps the engine alive.
final class DrivenExchange: TransferHandle {
    /// Why the server is held up.
    private struct Holds: OptionSet {
        let rawValue: Int
        /// Whoever reads wants no more for now.
        static let reader = Holds(rawValue: 1)
        /// Too much is on its way to him.
        static let line = Holds(rawValue: 2)
    }

    private struct State {
        var course: TransferCourse
        /// The hop that runs, as soon as the engine has given its handle.
        var handle: (any TransferHandle)?
        var onEvent: (@Sendable (TransferEvent) -> Void)?

        var holds: Holds = []
        /// Whether the engine has been told to hold the server up, and whether somebody is telling it so or otherwise.
        var isHeldUp = false
        var isTellingEngine = false

        /// Events that wait until the one before them has been told.
        var line = FirstInFirstOut<TransferEvent>()
        var isTelling = false
        /// How much of a large body waits in the line.
        var bytesInLine = 0

        /// When the hop began or the engine last told something; `nil` while no hop runs.
        var lastActivity: UInt64?

        /// An event is about to be told. Returns who is told; `nil` for nobody, after the last one.
        mutating func beginTelling(_ event: TransferEvent) -> (@Sendable (TransferEvent) -> Void)? {
            isTelling = true
            guard event.isTerminal else { return onEvent }
            line.removeAll()
            return onEvent.take()
        }

        /// The hop is over, and what is still told of it is late.
        mutating func endHop() -> (any TransferHandle)? {
            lastActivity = nil
            isHeldUp = false
            return handle.take()
        }
    }

    /// So much of a large response waits to be told before the server is held up, and half as much before it goes on.
    private static let lineLimit = 4 << 20

    let ticket: Int
    private let driver: TransferDriver
    /// Where a large response is told: files are written there, which is to hold up neither the engine's thread nor, as on a
    /// queue over a global one, the few threads of tasks.
    private let queue: DispatchQueue?
    private let timeout: UInt64
    private let wholeLimit: UInt64
    private let state: Locked<State>

    init(
        _ request: TransferRequest, ticket: Int, driver: TransferDriver,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.ticket = ticket
        self.driver = driver
        queue = request.expectsLargeResponse ? DispatchQueue(label: "PiuPiu.events") : nil
        timeout = Self.nanoseconds(request.urlRequest.timeoutInterval)
        wholeLimit = driver.settings.wholeTimeout.map { driver.timer.now() + Self.nanoseconds($0) } ?? .max
        state = Locked(State(course: TransferCourse(request), onEvent: onEvent))
    }

    private static func nanoseconds(_ seconds: TimeInterval) -> UInt64 {
        // A billion seconds are as good as no limit, and far from an overflow.
        UInt64(min(max(seconds, 0), 1e9) * 1e9)
    }

    // MARK: Hops

    /// Starts the next hop: it is its turn.
    func launch() {
        let now = driver.timer.now()
        let launched = state.withLock { state in
            let launched = state.course.launch()
            if launched != nil { state.lastActivity = now }
            return launched
        }
        guard let (request, hop) = launched else { return }
        driver.look(at: limit(after: now))
        let url = request.urlRequest.url
        let receiver = TransferReceiver(url: url) { [self] event in receive(event, of: hop) }
        let handle = driver.engine.start(driver.settings.withCookies(request)) { receiver.receive($0) }
        let isCurrent = state.withLock { state in
            guard state.course.isCurrent(hop), state.lastActivity != nil else { return false }
            state.handle = handle
            return true
        }
        // Otherwise it was given up, or has ended, while it was started.
        if isCurrent { tellEngineOfHolds() } else { handle.cancel() }
    }

    /// The engine has told something.
    private func receive(_ event: TransferEvent, of hop: Int) {
        let now = driver.timer.now()
        let (step, request, handle) = state.withLock { state in
            let request = state.course.isCurrent(hop) ? state.course.request : nil
            let step = state.course.received(event, of: hop)
            guard request != nil else { return (step, request, nil as (any TransferHandle)?) }
            if state.lastActivity != nil { state.lastActivity = now }
            switch step {
            case .nothing, .tell: return (step, request, nil)
            case .goOn, .end: return (step, request, state.endHop())
            }
        }
        if let request, case .head(let head, _) = event { take(from: head, answering: request.urlRequest) }
        switch step {
        case .nothing: break
        case .tell(let event): tell(event)
        case .goOn(let next, let cancels):
            if cancels { handle?.cancel() }
            driver.goOn(self, with: next)
        case .end(let event, let cancels):
            // The next in line goes first: what the caller does with the outcome is not to hold it up.
            driver.leave(self)
            if cancels { handle?.cancel() }
            tell(event)
        }
    }

    /// Takes from a head what is of use for other exchanges.
    private func take(from head: TransferHead, answering request: URLRequest) {
        driver.settings.cookies?.keepCookies(of: head, to: request)
        if head.isMultiplexed { driver.multiplexes(request.url) }
    }

    // MARK: From outside

    func cancel() {
        interrupt { _ in CancellationError() }
    }

    /// Ends the exchange with an error if there is one, unless it is over, without waiting for anything.
    private func interrupt(with cause: (State) -> (any Error)?) {
        let (error, handle) = state.withLock { state in
            guard !state.course.isOver, let error = cause(state) else {
                return (nil as (any Error)?, nil as (any TransferHandle)?)
            }
            state.course.interrupt()
            return (error, state.endHop())
        }
        guard let error else { return }
        handle?.cancel()
        driver.leave(self)
        // Not on the caller's thread, which may be the main one.
        (queue ?? .global()).async { self.tell(.failed(error)) }
    }

    func pause() {
        state.withLock { state in state.holds.formUnion(.reader) }
        tellEngineOfHolds()
    }

    func resume() {
        release(.reader)
    }

    private func release(_ reason: Holds) {
        let now = driver.timer.now()
        let goesOn = state.withLock { state in
            guard state.holds.remove(reason) != nil, state.holds.isEmpty, state.lastActivity != nil else {
                return false
            }
            state.lastActivity = now
            return true
        }
        tellEngineOfHolds()
        if goesOn { driver.look(at: limit(after: now)) }
    }

    /// Tells the engine whether the server is to be held up, where it doesn't know; one after the other, so that the last is
    /// what it is told last.
    private func tellEngineOfHolds() {
        while let (handle, isHeldUp) = nextHold() {
            if isHeldUp { handle.pause() } else { handle.resume() }
            state.withLock { $0.isTellingEngine = false }
        }
    }

    private func nextHold() -> (any TransferHandle, isHeldUp: Bool)? {
        state.withLock { state in
            guard let handle = state.handle, !state.isTellingEngine, state.isHeldUp == state.holds.isEmpty else {
                return nil
            }
            state.isTellingEngine = true
            state.isHeldUp.toggle()
            return (handle, state.isHeldUp)
        }
    }

    // MARK: Time

    /// When the limits have to be looked at.
    var nextLimit: UInt64 { state.withLock { limit(of: $0) } }

    /// Ends the exchange if the server has been silent for too long, or all of it has taken too long. Returns when to look
    /// next.
    func checkLimits(at now: UInt64) -> UInt64 {
        interrupt { state in
            guard limit(of: state) <= now else { return nil }
            return TransferError(.timedOut, url: state.course.request.urlRequest.url)
        }
        return nextLimit
    }

    private func limit(after activity: UInt64) -> UInt64 { min(activity + timeout, wholeLimit) }

    private func limit(of state: State) -> UInt64 {
        guard !state.course.isOver else { return .max }
        // While it is held up, the server may well be silent.
        guard state.holds.isEmpty, let activity = state.lastActivity else { return wholeLimit }
        return limit(after: activity)
    }

    // MARK: Telling, one event at a time

    private func tell(_ event: TransferEvent) {
        let (onEvent, mustTellAll) = state.withLock { state in
            if queue == nil, !state.isTelling { return (state.beginTelling(event), true) }
            guard state.onEvent != nil else { return (nil, false) }
            state.line.append(event)
            if queue != nil, case .body(let chunk) = event {
                state.bytesInLine += chunk.count
                if state.bytesInLine > Self.lineLimit { state.holds.insert(.line) }
            }
            defer { state.isTelling = true }
            return (nil, !state.isTelling)
        }
        onEvent?(event)
        if queue != nil { tellEngineOfHolds() }
        guard mustTellAll else { return }
        if let queue { queue.async { self.tellAll() } } else { tellAll() }
    }

    private func tellAll() {
        while let (event, onEvent) = nextEvent() {
            onEvent(event)
            guard queue != nil, case .body(let chunk) = event else { continue }
            let isEnough = state.withLock { state in
                state.bytesInLine -= chunk.count
                return state.bytesInLine <= Self.lineLimit / 2 && state.holds.contains(.line)
            }
            if isEnough { release(.line) }
        }
    }

    /// The next event, and who is told; `nil` if there is none, or nobody.
    private func nextEvent() -> (TransferEvent, @Sendable (TransferEvent) -> Void)? {
        state.withLock { state in
            guard let event = state.line.popFirst(), let onEvent = state.beginTelling(event) else {
                state.isTelling = false
                return nil
            }
            return (event, onEvent)
        }
    }
}
