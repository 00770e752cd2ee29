import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine that sends nothing, records its requests, and reports what a test tells it to.
final class DirectedEngine: TasklessEngine {
    /// One exchange that was started.
    struct Hop: Sendable {
        let request: TransferRequest
        /// `nil` once it is over.
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var calls: [String] = []
    }

    struct State: Sendable {
        var hops: [Hop] = []
        var ends: [String] = []
        var running = 0
        var mostRunning = 0
        /// Whether a cancelled exchange ends by itself, as it should.
        var endsCancelled = true
        /// Runs before a start returns.
        var duringStart: @Sendable () -> Void = {}
    }

    let settings: TransferSettings
    let streamsBodies: Bool
    let state: Watched<State>

    init(
        _ settings: TransferSettings = TransferSettings(), endsCancelled: Bool = true, streamsBodies: Bool = false
    ) {
        self.settings = settings
        self.streamsBodies = streamsBodies
        state = Watched(State(endsCancelled: endsCancelled))
    }

    /// The paths of the requests, in order.
    var paths: [String] { state.withLock { $0.hops.map { $0.request.urlRequest.url?.path() ?? "" } } }

    /// The calls to the handle of an exchange.
    func calls(_ hop: Int) -> [String] { state.withLock { $0.hops[hop].calls } }

    /// The numbers of the exchanges in flight.
    var running: [Int] { state.withLock { state in state.hops.indices.filter { state.hops[$0].onEvent != nil } } }

    /// Suspends until `count` exchanges have started.
    func started(_ count: Int) async { await state.wait { $0.hops.count >= count } }

    /// Suspends until a handle has had `count` calls.
    func called(_ hop: Int, _ count: Int) async { await state.wait { $0.hops[hop].calls.count >= count } }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let (hop, duringStart) = state.withLock { state in
            state.hops.append(Hop(request: request, onEvent: onEvent))
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            return (state.hops.count - 1, state.duringStart)
        }
        duringStart()
        return Handle(engine: self, hop: hop)
    }

    func tell(_ hop: Int, _ event: TransferEvent) {
        let onEvent = state.withLock { state -> (@Sendable (TransferEvent) -> Void)? in
            guard event.isTerminal else { return state.hops[hop].onEvent }
            let onEvent = state.hops[hop].onEvent.take()
            if onEvent != nil { state.running -= 1 }
            return onEvent
        }
        onEvent?(event)
    }

    func head(_ hop: Int, status: Int = 200) {
        let request = state.withLock { $0.hops[hop].request.urlRequest }
        guard let url = request.url else { return }
        tell(hop, .head(TransferHead(url: url, status: status), request: request))
    }

    func answer(_ hop: Int, status: Int = 200, body: String? = nil) {
        head(hop, status: status)
        if let body { tell(hop, .body(Data(body.utf8))) }
        tell(hop, .finished)
    }

    func fail(_ hop: Int, _ kind: TransferError.Kind) { tell(hop, .failed(TransferError(kind))) }

    func finishTasksAndInvalidate() { state.withLock { $0.ends.append("finish") } }
    func invalidateAndCancel() { state.withLock { $0.ends.append("cancel") } }

    private struct Handle: TransferHandle {
        let engine: DirectedEngine
        let hop: Int

        private func note(_ call: String) { engine.state.withLock { $0.hops[hop].calls.append(call) } }

        func cancel() {
            // Of an exchange that ended within its start, the dispatcher gets the handle only now.
            guard engine.running.contains(hop) else { return }
            note("cancel")
            guard engine.state.withLock({ $0.endsCancelled }) else { return }
            DispatchQueue.global().async { engine.tell(hop, .failed(CancellationError())) }
        }

        func pause() { note("pause") }
        func resume() { note("resume") }
    }
}

/// The events that an engine reports of one exchange; a test can wait for them.
final class EventTrace: Sendable {
    private let events = Watched<[TransferEvent]>([])

    var onEvent: @Sendable (TransferEvent) -> Void {
        { [events] event in events.withLock { $0.append(event) } }
    }

    var all: [TransferEvent] { events.withLock { $0 } }

    /// The events, in short: "200 abc .".
    var text: String { all.map(\.text).joined(separator: " ") }

    /// Suspends until the last event, and returns all of them in short.
    var end: String {
        get async {
            await events.wait { $0.last?.isTerminal == true }
            return text
        }
    }

    /// The error at the end.
    var error: (any Error)? { if case .failed(let error) = all.last { error } else { nil } }
}

extension TransferEvent {
    fileprivate var text: String {
        switch self {
        case .sent: "sent"
        case .head(let head, _): "\(head.status ?? 0)"
        case .body(let chunk): String(decoding: chunk, as: UTF8.self)
        case .measured: "measured"
        case .finished: "."
        case .failed(is CancellationError): "cancelled"
        case .failed(let error as TransferError): error.kind.rawValue
        case .failed(is LineFullError): "full"
        case .failed(is CircuitOpenError): "open"
        case .failed(let error): "\(error)"
        }
    }
}

/// One hop, as a dispatcher hands it to an engine.
func hop(
    _ path: String, host: String = "host", method: String? = nil, headers: [String: String] = [:],
    body: TransferBody? = nil, isLarge: Bool = false, timeout: TimeInterval = 60
) throws -> TransferRequest {
    var request = URLRequest(url: try url("http://\(host)\(path)"))
    request.httpMethod = method
    request.timeoutInterval = timeout
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return TransferRequest(request, body: body, expectsLargeResponse: isLarge)
}

extension TransferEngine {
    /// Starts an exchange whose events go to a trace.
    @discardableResult
    func start(_ request: TransferRequest, _ trace: EventTrace) -> any TransferHandle {
        start(request, onEvent: trace.onEvent)
    }

    /// Starts an exchange for each number, which is its path, with a trace.
    func start(_ range: Range<Int>, host: String = "host") throws -> [(handle: any TransferHandle, trace: EventTrace)] {
        try range.map { number in
            let trace = EventTrace()
            return (start(try hop("/\(number)", host: host), trace), trace)
        }
    }
}
