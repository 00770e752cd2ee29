import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The layer between a dispatcher and its engine, which only carries out single hops of an exchange.
///
/// The roles:
/// - ``TransferSettings`` have the headers, timeouts, limits and cookies.
/// - ``TrafficControl`` lets exchanges beyond the limit of their host wait, and decides when to invalidate the engine.
/// - ``TransferCourse`` decides about redirects, lengths and late events; ``DrivenExchange`` carries the decisions out.
package final class TransferDriver: AnsweringEngine {
    let engine: any TransferEngine
    private let answering: (any AnsweringEngine)?
    /// Whether the engine may start tasks, which inherit from the task that launches an exchange.
    let startsTasks: Bool
    /// Whether a redirect may be reported outside of that task.
    let reportsOutsideOfTask: Bool
    package let settings: TransferSettings
    /// Whether an exchange may wait in the engine: for its turn, or for the disk of a cache.
    let notifiesTurns: Bool
    let timer: TransferTimer
    /// Whether nobody waits for its exchanges.
    private let isInBackground: Bool
    /// The exchanges, also those of the drivers that share it.
    private let traffic: Locked<TrafficControl<DrivenExchange>>
    /// Those who wait for the end of that traffic.
    private let waiters: EndWaiters
    private let nextLook = Locked(Look())
    private let lined = Locked<(any TransferEngine)?>(nil)

    /// Makes a driver for an engine.
    package convenience init(_ engine: any TransferEngine, timer: TransferTimer = .system) {
        self.init(engine, timer: timer, sharing: nil)
    }

    /// Makes a driver for a decorated form of another one's engine. Both end together: neither could go on when the
    /// other one has ended that engine.
    convenience init(_ engine: any TransferEngine, over other: TransferDriver) {
        self.init(engine, timer: other.timer, sharing: other)
    }

    /// Makes a driver for what is sent in the background of another one's exchanges, if there is one, through a part of
    /// its engine. Both end together, but what waits for its turn then isn't sent: nobody waits for it.
    convenience init(_ engine: any TransferEngine, inBackgroundOf other: TransferDriver?) {
        self.init(engine, timer: other?.timer ?? .system, sharing: other, isInBackground: true)
    }

    private init(
        _ engine: any TransferEngine, timer: TransferTimer, sharing other: TransferDriver?, isInBackground: Bool = false
    ) {
        self.engine = engine
        self.isInBackground = isInBackground
        answering = engine as? any AnsweringEngine
        startsTasks = engine.startsTasks
        reportsOutsideOfTask = engine.reportsOutsideOfTask
        self.timer = timer
        settings = engine.settings
        notifiesTurns = settings.hasLinesInEngine || settings.hasCache
        if let other {
            (traffic, waiters) = (other.traffic, other.waiters)
        } else {
            (traffic, waiters) = (Self.makeTraffic(settings), EndWaiters())
        }
    }

    private static func makeTraffic(_ settings: TransferSettings) -> Locked<TrafficControl<DrivenExchange>> {
        var traffic = TrafficControl<DrivenExchange>(limitPerHost: settings.exchangesPerOrigin)
        // Exchanges without a line don't wait.
        _ = traffic.raiseLimit(of: "", to: .max)
        return Locked(traffic)
    }

    deinit { nextLook.withLock { $0.cancel }?() }

    /// The engine to decorate: with its lines inside, which all of its decorators share.
    var linedEngine: any TransferEngine {
        let made = lined.withLock { $0 } ?? engine.withLines
        return lined.withLock { lined in
            let kept = lined ?? made
            lined = kept
            return kept
        }
    }

    package func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        start(request, attach: { _ in }, onEvent: onEvent)
    }

    /// Starts an exchange. `attach` gets its handle before the engine is asked, so that a cancellation inside of its
    /// first events is in time. A refused request has nothing to cancel.
    func start(
        _ request: TransferRequest, attach: (any TransferHandle) -> Void,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let complete: TransferRequest
        do {
            complete = try settings.completed(request)
        } catch {
            return RefusedExchange(error, onEvent: onEvent)
        }
        let ticket = traffic.withLock { $0.makeTicket() }
        let exchange = DrivenExchange(complete, ticket: ticket, driver: self, onEvent: onEvent)
        attach(exchange)
        let line = line(of: complete)
        switch traffic.withLock({ $0.admit(exchange, ticket: ticket, to: line) }) {
        case .launch: exchange.launch()
        case .wait: wait(exchange)
        case .refused: exchange.fail(with: TransferError(.sessionInvalidated, url: request.urlRequest.url))
        }
        return exchange
    }

    /// Whether there is a cache below.
    var mayAnswer: Bool { answering != nil }

    package func answer(to request: TransferRequest) -> [TransferEvent]? {
        guard let answering, var complete = try? settings.completed(request),
            !traffic.withLock({ $0.isEnding })
        else { return nil }
        complete.driver = self
        guard let events = answering.answer(to: settings.withCookies(complete)) else { return nil }
        var course = TransferCourse(complete), delivered: [TransferEvent] = []
        guard let (_, hop) = course.launch() else { return nil }
        for event in events {
            switch course.received(event, of: hop) {
            case .nothing: break
            case .deliver(let event), .end(let event, cancels: false): delivered.append(event)
            // A redirect leads to another request, and a failure is for an exchange to report.
            case .ask, .drain, .goOn, .end: return nil
            }
        }
        guard case .finished = delivered.last else { return nil }
        if case .head(let head, _)? = delivered.first, let status = head.cacheStatus {
            complete.observation?.report(.cacheStatus(status))
        }
        return delivered
    }

    package func finishTasksAndInvalidate() {
        end(.finishing)
    }

    package func invalidateAndCancel() {
        end(.cancelling)
    }

    // MARK: What exchanges ask for

    /// Why an exchange isn't sent any more when its turn comes.
    var refusal: (any Error)? {
        let isRefused = traffic.withLock { isInBackground ? $0.isEnding : $0.isCancelling }
        return isRefused ? CancellationError() : nil
    }

    /// A waiting or running exchange is over: launches the next in line.
    func leave(_ exchange: DrivenExchange) {
        let now = instant(for: exchange)
        let (next, ending, isOver) = traffic.withLock { traffic in
            traffic.withdraw(exchange.ticket)
            return (traffic.leave(exchange.ticket, at: now), traffic.engineEnding(), traffic.isOver)
        }
        giveTurn(to: next)
        engine.invalidate(ending)
        if isOver { waiters.open() }
    }

    /// An exchange goes on with another request, as soon as its turn comes.
    func goOn(_ exchange: DrivenExchange, with request: TransferRequest) {
        let line = line(of: request), now = instant(for: exchange)
        let (mayGoOn, next) = traffic.withLock { $0.move(exchange.ticket, to: line, at: now) }
        giveTurn(to: next)
        if mayGoOn { exchange.launch() } else { wait(exchange) }
    }

    /// An engine may end an exchange inside its start, which gives the next one its turn, and so on: not all of them on
    /// one stack (contract rule DEPTH).
    private func giveTurn(to exchange: DrivenExchange?) {
        guard let exchange else { return }
        // Many may be cancelled at once, this one too.
        Trampoline.afterCancellations {
            guard !StartNesting.run({ exchange.takeTurn() }) else { return }
            DispatchQueue.global().async { exchange.takeTurn() }
        }
    }

    private func wait(_ exchange: DrivenExchange) {
        exchange.waitForTurn()
        look(at: exchange.nextLimit)
    }

    /// When a stream ahead of a waiting one last ended.
    func lastMove(before exchange: DrivenExchange) -> UInt64 {
        exchange.isStream ? traffic.withLock { $0.lastMove(before: exchange.ticket) } : 0
    }

    /// The time of leaving matters only for streams.
    private func instant(for exchange: DrivenExchange) -> UInt64 { exchange.isStream ? timer.now() : 0 }

    /// A connection of a host carries many exchanges at once, which raises its limit, or one after the other, which
    /// resets it: but not that of large responses and streams. A body of unknown length shows only the former, as an
    /// engine may send it over HTTP/1.1 in any case.
    func heed(_ isMultiplexed: Bool, shownBy request: TransferRequest) {
        guard settings.hasLimit,
            isMultiplexed || !request.body.hasUnknownLength && traffic.withLock({ $0.hasRaisedLimits })
        else { return }
        for kind in Kind.multiplexed {
            let line = line(of: request.urlRequest.url, kind)
            guard !line.isEmpty else { continue }
            let launched = traffic.withLock { traffic in
                guard !isMultiplexed else {
                    return traffic.raiseLimit(of: line, to: settings.exchangesPerMultiplexedOrigin)
                }
                traffic.resetLimit(of: line)
                return []
            }
            for exchange in launched { exchange.takeTurn() }
        }
    }

    /// Exchanges wait only for others of their kind: small responses not for large ones, others not for streams, which
    /// may never end, or for bodies of unknown length, whose chunks may have to be waited for, and the refresh of a
    /// credential not for the requests that wait for it.
    private enum Kind: String, CaseIterable {
        case small = ""
        case large = "large "
        case stream = "stream "
        case unmeasured = "unmeasured "
        case refresh = "refresh "

        /// The kinds of which a connection may carry many at once. Whatever else comes on a connection of HTTP/2 makes
        /// libcurl read a response that is paused into memory, up to 32 MB of it. The others are seldom paused.
        static let multiplexed: [Kind] = [.small, .refresh]

        init(_ request: TransferRequest) {
            self =
                if request.isStream { .stream } else if request.isOfCredentialRefresh {
                    .refresh
                } else if request.expectsLargeResponse {
                    .large
                } else if request.body.hasUnknownLength { .unmeasured } else { .small }
        }
    }

    /// How many lines an origin has, each with its own limit.
    static var linesPerOrigin: Int { Kind.allCases.count }

    /// Where an exchange waits for its turn. Other streams may never end, so one that a cache below answers doesn't
    /// wait for them. Only one whose file is damaged, or was removed by another process, is sent beyond the limit.
    private func line(of request: TransferRequest) -> String {
        if settings.hasLimit, request.isStream,
            answering?.needsNoServer(for: settings.withCookies(request)) == true
        {
            return ""
        }
        return line(of: request.urlRequest.url, Kind(request))
    }

    private func line(of url: URL?, _ kind: Kind) -> String {
        guard settings.hasLimit, kind == .stream || !settings.hasLinesInEngine, let origin = url?.origin else {
            return ""
        }
        return kind.rawValue + origin
    }

    // MARK: Time

    /// The next check of the time limits; at most one alarm is set for it.
    private struct Look: Sendable {
        var instant = UInt64.max
        var number = 0
        var cancel: TransferTimer.Cancel?
        var limits = LimitList()

        /// Sets the next check; returns the alarm that is no longer needed.
        mutating func begin(at instant: UInt64) -> TransferTimer.Cancel? {
            self.instant = instant
            number += 1
            return cancel.take()
        }
    }

    /// Checks the time limits at this instant, or earlier: an exchange is new, or its limit has come nearer.
    func look(at instant: UInt64) { setAlarm(noting: instant) }

    /// Sets the alarm of the next check, unless an earlier one is set.
    private func setAlarm(noting limit: UInt64 = .max, adding entries: [LimitList.Entry] = []) {
        let begun = nextLook.withLock { next -> (instant: UInt64, late: TransferTimer.Cancel?, number: Int)? in
            next.limits.note(limit)
            next.limits.add(entries)
            let instant = next.limits.first
            return instant < next.instant ? (instant, next.begin(at: instant), next.number) : nil
        }
        guard let (instant, late, number) = begun else { return }
        late?()
        let cancel = timer.schedule(instant) { [weak self] in TaskCancellation.apart { self?.look(number) } }
        let isCurrent = nextLook.withLock { next in
            guard next.number == number else { return false }
            next.cancel = cancel
            return true
        }
        if !isCurrent { cancel() }
    }

    private func look(_ number: Int) {
        let (isCurrent, alarm) = nextLook.withLock { next in
            next.number == number ? (true, next.begin(at: .max)) : (false, nil)
        }
        // Another check came first, and has scheduled the next one.
        guard isCurrent else { return }
        alarm?()
        let now = timer.now()
        if nextLook.withLock({ $0.limits.mustBegin(at: now) }) { listLimits() }
        let due = nextLook.withLock { $0.limits.removeDue(at: now) }
        // The others have ended.
        let exchanges = traffic.withLock { traffic in due.compactMap { traffic.item(of: $0) } }
        setAlarm(adding: exchanges.map { (ticket: $0.ticket, limit: $0.checkLimits(at: now)) })
    }

    private func listLimits() {
        // Another driver with the same traffic has an alarm of its own.
        let exchanges = traffic.withLock { $0.all }.filter { $0.driver === self }
        let entries = exchanges.map { (ticket: $0.ticket, limit: $0.nextLimit) }
        nextLook.withLock { $0.limits.add(entries) }
    }

    // MARK: The end

    /// Suspends until the last exchange has ended after the end has begun, or the task is cancelled.
    func untilTheEnd() async {
        await waiters.wait { traffic.withLock { $0.isOver } }
    }

    private func end(_ wanted: EngineEnding.Kind) {
        let cancelled = traffic.withLock { $0.end(wanted) }
        // Together: in a line below, the end of one may send another that is about to be cancelled (rule L4).
        Trampoline.cancel(cancelled) { [self] in
            let ending = traffic.withLock { traffic in
                traffic.hasCancelled()
                return traffic.engineEnding()
            }
            engine.invalidate(ending)
        }
    }
}
