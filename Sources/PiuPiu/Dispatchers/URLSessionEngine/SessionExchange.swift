import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange over `URLSession`: carries out what its ``ExchangeState`` decides.
///
/// It refers to its engine, so that a running exchange keeps the session alive, and the engine's delegate refers to it
/// until its task is over.
final class SessionExchange: EngineExchange {
    private struct State {
        var exchange: ExchangeState
        var task: URLSessionTask?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
    }

    /// `URLSessionTask.cancel()` waits for `URLSession`'s process-wide work queue, and traps when it is called on it;
    /// here it has nobody to keep waiting.
    static let canceller = DispatchQueue(label: "PiuPiu.canceller")

    let ticket: Int
    private let engine: URLSessionEngine
    private let state: Locked<State>

    init(
        _ request: URLRequest, ticket: Int, engine: URLSessionEngine,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.ticket = ticket
        self.engine = engine
        state = Locked(State(exchange: ExchangeState(request), onEvent: onEvent))
    }

    // MARK: Beginning and end

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
        let task = engine.makeTask(for: request, of: self)
        task.resume()
        let launched = state.withLock { state in
            let launched = state.exchange.launched(attempt)
            if launched == .running { state.task = task }
            return launched
        }
        if launched == .stop { Self.stop(task) }
    }

    func interrupt(with error: any Error) {
        let (interruption, task) = state.withLock { ($0.exchange.interrupt(), $0.task) }
        switch interruption {
        case .ignored: return
        case .settle: engine.withdraw(self)
        case .settleAndStop: task.map(Self.stop)
        }
        // In the line with the other events, so that none comes after this one.
        engine.events.async { self.tellLast(.failed(error)) }
    }

    private static func stop(_ task: URLSessionTask) {
        canceller.async { task.cancel() }
    }

    // MARK: What the task tells, on the engine's event queue

    func received(_ response: URLResponse) {
        tell { $0.received(response) }
    }

    func received(_ chunk: Data) {
        tell { $0.received(chunk) }
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
        state.withLock { state in
            switch state.exchange.redirected(by: response, to: proposed) {
            case .follow(let request): answer(request)
            case .stay: answer(nil)
            case .silence: break
            }
        }
    }

    func completed(_ response: URLResponse?, error: (any Error)?) {
        let completion = state.withLock { state in
            state.task = nil
            return state.exchange.completed(response, error: error)
        }
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
