import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a dispatcher: carries out the decisions of its ``TransferCourse``, hop by hop.
///
/// It retains its driver, and each hop that an engine runs retains it. So a running exchange retains the engine.
final class DrivenExchange: TransferHandle, CancellableWork {
    /// With more bytes than this in the line the server is paused; at half of it the server is resumed.
    static let lineLimit = 4 << 20
    /// A larger response has a queue.
    static let smallLimit = 1 << 20

    static func makeQueue() -> DispatchQueue { DispatchQueue(label: "PiuPiu.events") }

    let ticket: Int
    /// Whether the response is read as a stream.
    let isStream: Bool
    let driver: TransferDriver
    private let limits: Limits
    /// The credential in the request.
    private let credential: SentCredential?
    /// Opens when its turn has come, or it is over; `nil` if no task waits for that.
    let turn: PauseGate?
    /// Whether a redirect may be reported outside of the task that the engine has started: that only reads the body of
    /// a request, a cache answers, or nothing is known of the engine.
    private let reportsElsewhere: Bool
    private let state: Locked<State>

    init(
        _ request: TransferRequest, ticket: Int, driver: TransferDriver,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.ticket = ticket
        self.driver = driver
        isStream = request.isStream
        turn = driver.startsTasks || request.chunks != nil ? PauseGate() : nil
        turn?.close()
        reportsElsewhere = request.chunks != nil || driver.reportsOutsideOfTask
        limits = Limits(of: request, by: driver)
        credential = request.sentCredential
        let queue = request.expectsLargeResponse ? Self.makeQueue() : nil
        let now = request.isStream ? driver.timer.now() : nil
        state = Locked(
            State(
                course: TransferCourse(request), receiver: Receiver(receive: onEvent), queue: queue, waitingSince: now))
    }

    // MARK: Hops

    /// Starts the next hop, as its turn has come.
    func launch() {
        // It may have the place of one that the same deadline has just ended.
        if let error = refusal { fail(with: error) }
        let now = driver.timer.now()
        // The current task is the caller's or has inherited from it, unlike that of an event from elsewhere (contract
        // rule INHERIT).
        let nextHop = reportsElsewhere ? InheritingWork() : nil
        let launched = state.withLock { state in
            let launched = state.course.launch()
            guard launched != nil else { return launched }
            state.nextHop = nextHop
            state.waitingSince = nil
            state.lastActivity = now
            state.meter = HopMeter(start: now)
            return launched
        }
        // It was ended before its turn, perhaps before it was admitted: its place is for the next one.
        guard let (request, hop) = launched else { return driver.leave(self) }
        driver.look(at: limits.limit(after: now))
        if hop == 1, isStream || !driver.settings.hasLinesInEngine { reportAdmission(of: request) }
        let url = request.urlRequest.url
        let receiver = TransferReceiver(url: url) { [self] event in receive(event, of: hop) }
        var sent = driver.settings.withCookies(request)
        if driver.notifiesTurns || sent.spool != nil {
            sent.turn = HopTurn(exchange: self, hop: hop)
            sent.driver = driver
        }
        let handle = driver.engine.start(spooling: sent) { receiver.receive($0) }
        let (isCurrent, reason) = state.withLock { state in
            guard state.course.isCurrent(hop), state.lastActivity != nil else {
                return (false, state.course.hop == hop ? state.endingReason : nil)
            }
            state.handle = handle
            return (true, nil)
        }
        // Otherwise it was cancelled, or has ended, during its start.
        if isCurrent { applyHolds() } else { handle.giveUp(because: reason ?? CancellationError()) }
    }

    /// The error of an exchange whose turn comes too late: after its deadline, after the credential in its request was
    /// removed (rule SESSION), or when nobody waits for it any more.
    private var refusal: (any Error)? {
        if let error = missedDeadline { return error }
        return credential?.removal ?? driver.refusal
    }

    /// The error of a deadline that is over, after which nothing is sent (rule D3).
    private var missedDeadline: DeadlineExceeded? {
        guard let deadline = limits.deadline, deadline.isOver else { return nil }
        return state.withLock { DeadlineExceeded($0.course.firstRequest, at: deadline, stage: $0.stage) }
    }

    /// A hop waits for its turn in the engine, for the disk of a cache, or for the chunks of its body.
    func waitsInEngine(hop: Int) {
        state.withLock { state in
            if state.course.isCurrent(hop) { state.waitsInEngine += 1 }
        }
    }

    /// The turn of a hop has come: its time begins.
    ///
    /// - Throws: `CancellationError` if the exchange is over. It may have been cancelled before the engine has returned
    ///   the handle by which the line would have known (rule L4). Another error if it is too late.
    func beginsInEngine(hop: Int) throws {
        let now = driver.timer.now()
        let request = state.withLock { state -> TransferRequest? in
            guard state.course.isCurrent(hop) else { return nil }
            state.waitsInEngine -= 1
            state.lastActivity = now
            state.meter = HopMeter(start: now)
            return state.course.request
        }
        guard let request else { throw CancellationError() }
        if let error = refusal { throw error }
        driver.look(at: limits.limit(after: now))
        if hop == 1 { reportAdmission(of: request) }
    }

    /// A hop doesn't wait for the disk of a cache or for chunks any more: the server has all of its time.
    ///
    /// - Throws: the same errors as ``beginsInEngine(hop:)``.
    func leavesDisk(hop: Int) throws {
        let now = driver.timer.now()
        let (isCurrent, isUnsent) = state.withLock { state in
            guard state.course.isCurrent(hop) else { return (false, false) }
            state.waitsInEngine -= 1
            // A slow body of a redirect doesn't extend its own time.
            if !state.course.isDraining { state.lastActivity = now }
            return (true, state.meter.isSilent)
        }
        guard isCurrent else { throw CancellationError() }
        if let error = missedDeadline { throw error }
        // What waits for the disk may also be the answer of a server.
        if isUnsent, let error = credential?.removal { throw error }
        driver.look(at: nextLimit)
    }

    private func reportAdmission(of request: TransferRequest) {
        if !request.isReplacement { request.observation?.reportAdmission() }
    }

    /// The engine has reported an event of a hop.
    private func receive(_ event: TransferEvent, of hop: Int) {
        let now = driver.timer.now()
        if case .finished = event, let metrics = state.withLock({ $0.meter.metrics(at: now) }) {
            receive(.measured(metrics), of: hop)
        }
        let (step, request, version, ended, sent, mustLook) = state.withLock { state in
            guard state.course.isCurrent(hop) else {
                return (TransferCourse.Step.nothing, TransferRequest?.none, String?.none, EndedHop(), Int64(0), false)
            }
            let request = state.course.request, version = state.meter.version(shownBy: event)
            let sent = state.meter.count(event, at: now)
            let mustLook = state.noteAnswer(event)
            let (step, ended) = state.advance(at: now) { $0.received(event, of: hop) }
            return (step, request, version, ended, sent, mustLook)
        }
        if sent > 0 { request?.observation?.count(sent: sent) }
        if mustLook { driver.look(at: nextLimit) }
        if let request, case .head(let head, _) = event { take(from: head, answering: request) }
        if let request, let version, let isMultiplexed = TransferHead.isMultiplexed(version) {
            driver.heed(isMultiplexed, shownBy: request)
        }
        carryOut(step, ended, of: hop)
    }

    /// Carries out a step of the course, which may have ended the hop.
    private func carryOut(_ step: TransferCourse.Step, _ ended: EndedHop, of hop: Int) {
        switch step {
        case .nothing: break
        case .drain:
            // This is the engine's task, unlike that of an alarm.
            if turn != nil, !reportsElsewhere {
                let nextHop = InheritingWork()
                state.withLock { $0.nextHop = nextHop }
            }
            driver.look(at: nextLimit)
        case .deliver(let event): deliver(event)
        case .ask(let decision, let redirect, let next):
            let now = driver.timer.now()
            let wanted = Resumptions.apart { decision(redirect, next) }
            let (step, ended) = state.withLock { state in
                state.advance(at: now) { $0.answered(wanted, to: redirect, of: hop) }
            }
            carryOut(step, ended, of: hop)
        case .goOn(let next, let cancels):
            if cancels { ended.handle?.cancel() }
            if let nextHop = ended.next {
                nextHop.run { self.driver.goOn(self, with: next) }
            } else {
                driver.goOn(self, with: next)
            }
        case .end(let event, let cancels):
            // The next exchange starts first, so that the caller's work with the outcome doesn't delay it.
            driver.leave(self)
            if cancels { ended.handle?.giveUp(because: event.error ?? CancellationError()) }
            deliver(event)
        }
    }

    /// Takes from a head its cookies, whether its host multiplexes, and what a cache has done.
    ///
    /// The cache itself can't report that to all observers: an exchange may be shared.
    private func take(from head: TransferHead, answering request: TransferRequest) {
        if let status = head.status, status < 200 { return }
        driver.settings.cookies?.keepCookies(of: head, to: request.urlRequest)
        if let isMultiplexed = head.showsMultiplexing { driver.heed(isMultiplexed, shownBy: request) }
        if let status = head.cacheStatus { request.observation?.report(.cacheStatus(status)) }
    }

    // MARK: From outside

    func cancel() {
        fail(with: CancellationError())
    }

    /// Ends the exchange with an error, unless it is over.
    func fail(with error: any Error) {
        interrupt { _ in error }
    }

    /// Ends the exchange with the error of `cause`, if there is one and it isn't over. It doesn't block.
    ///
    /// - Parameter reason: the error that the engine gets; `nil` for the same one.
    private func interrupt(because reason: (any Error)? = nil, with cause: (inout State) -> (any Error)?) {
        let (error, ended, queue) = state.withLock { state in
            guard !state.course.isOver, let error = cause(&state) else {
                return (nil as (any Error)?, EndedHop(), nil as DispatchQueue?)
            }
            state.course.interrupt()
            state.endingReason = reason ?? error
            return (error, state.endHop(), state.queue)
        }
        guard let error else { return }
        ended.handle?.giveUp(because: reason ?? error)
        driver.leave(self)
        turn?.open()
        // Not on the caller's thread, which may be the main one.
        (queue ?? .global()).async { self.deliver(.failed(error)) }
    }

    func pause() {
        state.withLock { state in state.holds.formUnion(.reader) }
        applyHolds()
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
        applyHolds()
        if goesOn { driver.look(at: nextLimit) }
    }

    /// Asks the engine to pause or resume if that has changed; one call at a time, so that the last one wins.
    private func applyHolds() {
        while let (handle, isHeldUp) = nextHold() {
            if isHeldUp { handle.pause() } else { handle.resume() }
            state.withLock { $0.isApplyingHolds = false }
        }
    }

    private func nextHold() -> (any TransferHandle, isHeldUp: Bool)? {
        state.withLock { state in
            guard let handle = state.handle, !state.isApplyingHolds, state.isHeldUp == state.holds.isEmpty else {
                return nil
            }
            state.isApplyingHolds = true
            state.isHeldUp.toggle()
            return (handle, state.isHeldUp)
        }
    }

    // MARK: Time

    /// When to check the limits.
    var nextLimit: UInt64 { state.withLock { limits.next(of: $0) } }

    /// Ends the exchange if the server has been silent for too long, or if the whole takes too long. Returns when to
    /// check next.
    func checkLimits(at now: UInt64) -> UInt64 {
        if endsWithAnswer(at: now) || isKeptAlive(at: now) || stopsDraining(at: now) { return nextLimit }
        let lastMove = driver.lastMove(before: self)
        interrupt(because: limits.isTimedByCaller && now < limits.whole ? CancellationError() : nil) { state in
            state.waitingSince = state.waitingSince.map { max($0, lastMove) }
            guard limits.limit(of: state) <= now else { return nil }
            let isInLine = state.waitingSince != nil && now < limits.whole
            return state.course.marked(
                TransferError(isInLine ? .tooManyStreams : .timedOut, url: state.course.request.urlRequest.url))
        }
        return nextLimit
    }

    /// Ends the exchange with an answer that is complete: a server that has answered needn't take the rest of the
    /// request's body, nor say so (RFC 9113, section 8.1; RFC 9112, section 9.5).
    private func endsWithAnswer(at now: UInt64) -> Bool {
        let handle = state.withLock { state -> (any TransferHandle)? in
            guard limits.question(about: state) <= now else { return nil }
            state.answer?.mayBeWhole = false
            // Not after the question, as an event may follow at once that says that the answer goes on.
            state.answer?.isEnding = state.handle != nil
            return state.handle
        }
        guard let handle else { return false }
        let isEnding = handle.endsWithAnswer(isUrgent: limits.isLastChance(at: now))
        if !isEnding { state.withLock { $0.answer?.isEnding = false } }
        return isEnding
    }

    /// Follows a redirect whose body takes too long.
    private func stopsDraining(at now: UInt64) -> Bool {
        let stopped = state.withLock { state -> (hop: Int, TransferCourse.Step, EndedHop)? in
            guard state.lastActivity != nil, state.course.isDraining, limits.limit(of: state) <= now,
                now < limits.whole
            else { return nil }
            let hop = state.course.hop
            let (step, ended) = state.advance(at: now) { $0.stopDraining() }
            return (hop, step, ended)
        }
        guard let (hop, step, ended) = stopped else { return false }
        carryOut(step, ended, of: hop)
        return true
    }

    /// Whether the engine has another answer than that of a server that has been silent for too long.
    private func isKeptAlive(at now: UInt64) -> Bool {
        guard !limits.isTimedByCaller, now < limits.whole else { return false }
        let (handle, url) = state.withLock { state in
            let isSilent = state.lastActivity != nil && limits.limit(of: state) <= now && !state.course.isDraining
            return (isSilent ? state.handle : nil, state.course.request.urlRequest.url)
        }
        guard let handle, handle.goesOn(after: TransferError(.timedOut, url: url)) else { return false }
        state.withLock { if $0.lastActivity != nil { $0.lastActivity = now } }
        return true
    }

    // MARK: Delivery, one event at a time

    private func deliver(_ event: TransferEvent) {
        let (receiver, queue, mustDeliverAll) = state.withLock { state in
            state.count(event)
            if state.queue == nil, !state.isDelivering { return (state.beginDelivery(event), state.queue, true) }
            guard state.receiver != nil else { return (nil, state.queue, false) }
            state.enqueue(event)
            defer { state.isDelivering = true }
            return (nil, state.queue, !state.isDelivering)
        }
        receiver?.receive(event)
        if queue != nil { applyHolds() }
        guard mustDeliverAll else { return }
        if let queue { queue.async { self.deliverAll() } } else { deliverAll() }
    }

    private func deliverAll() {
        while let (event, receiver) = nextEvent() {
            receiver.receive(event)
            guard case .body(let chunk) = event else { continue }
            let isEnough = state.withLock { state in
                state.bytesInLine -= chunk.count
                return state.bytesInLine <= Self.lineLimit / 2 && state.holds.contains(.line)
            }
            if isEnough { release(.line) }
        }
    }

    /// The next event and its receiver; `nil` if there is no event, or the last one was delivered.
    private func nextEvent() -> (TransferEvent, Receiver)? {
        state.withLock { state in
            guard let event = state.line.popFirst(), let receiver = state.beginDelivery(event) else {
                state.isDelivering = false
                return nil
            }
            return (event, receiver)
        }
    }
}
