import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange over `URLSession`: carries out what its ``ExchangeState`` decides.
///
/// It refers to its engine, so that a running exchange keeps the session alive, and the engine's delegate refers to it
/// until its task is over.
final class SessionExchange: TransferHandle {
    private struct State {
        var exchange: ExchangeState
        var session: ExchangeSession?
        var task: URLSessionTask?
        var isPaused = false
        var isLarge = false
        var onEvent: (@Sendable (TransferEvent) -> Void)?
    }

    /// `URLSessionTask.cancel()` waits for `URLSession`'s process-wide work queue, and traps when it is called on it;
    /// here it has nobody to keep waiting.
    static let canceller = DispatchQueue(label: "PiuPiu.canceller")

    let ticket: Int
    private let isBulk: Bool
    private let engine: URLSessionEngine
    private let state: Locked<State>

    init(
        _ request: TransferRequest, ticket: Int, engine: URLSessionEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.ticket = ticket
        self.engine = engine
        isBulk = request.expectsLargeResponse
        state = Locked(State(exchange: ExchangeState(request), onEvent: onEvent))
    }

    // MARK: Beginning and end

    /// Starts, on a queue of the engine's or, when `directly`, on the caller's thread.
    func launch(directly: Bool) {
        if directly { start() } else { engine.launcher.async { self.start() } }
    }

    private func start() {
        guard engine.holdSession() else {
            cancel()
            engine.leave(self)
            return
        }
        defer { engine.releaseSession() }
        guard let (request, attempt) = state.withLock({ $0.exchange.launch() }) else {
            engine.leave(self)
            return
        }
        let body: SessionBody
        do {
            body = try SessionBody(request.body)
        } catch {
            interrupt(with: error)
            engine.leave(self)
            return
        }
        let session = engine.sessions.session(isBulk: isBulk, hasBody: !body.isEmpty)
        let isLarge = isBulk || body.isLarge
        state.withLock { state in
            state.session = session
            state.isLarge = isLarge
        }
        if isLarge { session.line.beginLargeExchange() } else { SmallExchanges.begin() }
        let task = session.start(engine.settings.prepared(request.urlRequest), body: body, of: self)
        let launched = state.withLock { state in
            let launched = state.exchange.launched(attempt)
            guard launched == .running else { return launched }
            state.task = task
            if state.isPaused { task.suspend() }
            return launched
        }
        if launched == .stop { Self.stop(task) }
    }

    func cancel() {
        interrupt(with: CancellationError())
    }

    /// Ends the exchange with `error`, unless it is over, without waiting for anything.
    func interrupt(with error: any Error) {
        let (interruption, task, session) = state.withLock { ($0.exchange.interrupt(), $0.task, $0.session) }
        switch interruption {
        case .ignored: return
        case .settle: engine.withdraw(self)
        case .settleAndStop: task.map(Self.stop)
        }
        // In the line with the other events, if there can be any, so that none comes after this one.
        (session?.line.queue ?? .global()).async { self.tellLast(.failed(error)) }
    }

    // On Linux a suspended task would repeat its request: nothing is held up there, and a stream keeps what it must in
    // a file. Elsewhere a task counts how often it was suspended, while this may be called any number of times.

    func pause() {
        #if canImport(Darwin)
            setPaused(true)
        #endif
    }

    func resume() {
        #if canImport(Darwin)
            setPaused(false)
        #endif
    }

    #if canImport(Darwin)
        private func setPaused(_ isPaused: Bool) {
            // Under the lock, as where the task is made: neither call overtakes the other.
            state.withLock { state in
                guard state.isPaused != isPaused else { return }
                state.isPaused = isPaused
                if isPaused { state.task?.suspend() } else { state.task?.resume() }
            }
        }
    #endif

    private static func stop(_ task: URLSessionTask) {
        canceller.async { task.cancel() }
    }

    // MARK: What the task tells, on the engine's event queue

    func received(_ response: URLResponse) {
        engine.settings.keepCookies(of: response, to: state.withLock { $0.exchange.request.urlRequest })
        tell { $0.received(response) }
    }

    func received(_ chunk: Data) {
        tell { $0.received(chunk) }
        let session = state.withLock { state -> ExchangeSession? in
            guard !state.isLarge, state.exchange.received >= SmallExchanges.limit else { return nil }
            state.isLarge = true
            return state.session
        }
        guard let session else { return }
        SmallExchanges.end()
        session.line.beginLargeExchange()
    }

    func sent(_ bytes: Int64, of expected: Int64) {
        tell { $0.sent(bytes, of: expected) }
    }

    func challenged() {
        state.withLock { $0.exchange.challenged() }
    }

    /// Answers a redirect, or doesn't.
    ///
    /// The one call out under a lock: a cancellation takes the same lock before its task is stopped, so no answer can
    /// come after the stop, on which FoundationNetworking would trap. The answer only enqueues a block.
    func redirected(
        by response: HTTPURLResponse, to proposed: URLRequest, answer: @Sendable (URLRequest?) -> Void
    ) {
        engine.settings.keepCookies(of: response, to: state.withLock { $0.exchange.request.urlRequest })
        state.withLock { state in
            switch state.exchange.redirected(by: response, to: proposed) {
            case .follow(let request): answer(engine.settings.withCookies(request))
            case .stay: answer(nil)
            case .silence: break
            }
        }
    }

    func completed(_ response: URLResponse?, error: (any Error)?) {
        let (completion, session, isLarge) = state.withLock { state in
            defer {
                state.task = nil
                state.session = nil
            }
            return (state.exchange.completed(response, error: error), state.session, state.isLarge)
        }
        if isLarge { session?.line.endLargeExchange() } else { SmallExchanges.end() }
        switch completion {
        case .ignored:
            engine.leave(self)
        case .relaunch:
            launch(directly: false)
        case .end(let head, let last):
            // The next in line goes first: what the caller does with the outcome is not to hold it up.
            engine.leave(self)
            if let head { state.withLock { $0.onEvent }?(head) }
            tellLast(last)
        }
    }

    // MARK: -

    private func tell(_ decide: (inout ExchangeState) -> TransferEvent?) {
        let (event, onEvent) = state.withLock { (decide(&$0.exchange), $0.onEvent) }
        if let event { onEvent?(event) }
    }

    private func tellLast(_ event: TransferEvent) {
        let onEvent = state.withLock { state in
            defer { state.onEvent = nil }
            return state.onEvent
        }
        onEvent?(event)
    }
}
