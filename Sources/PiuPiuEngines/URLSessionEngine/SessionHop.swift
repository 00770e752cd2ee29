import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One hop of an exchange over `URLSession`.
final class SessionHop: TransferHandle {
    struct State {
        var task: URLSessionTask?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var onEnd: (@Sendable () -> Void)?
        var isPaused = false
        var course = SessionCourse()
        /// The response with the challenge that was cancelled for lack of credentials.
        var challenge: URLResponse?
        var metrics: TransferMetrics?
    }

    /// On Linux `URLSessionTask.cancel()` waits for a queue, and traps if called on it. On this queue it blocks nobody.
    static let canceller = DispatchQueue(label: "PiuPiu.canceller")

    private let request: TransferRequest
    let state: Locked<State>

    init(_ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        self.request = request
        state = Locked(State(onEvent: onEvent))
    }

    // MARK: Life

    /// Makes and starts the task; `onEnd` is called when it is over.
    func start(
        in session: URLSession, _ delegate: SessionDelegate, _ configuration: URLSessionConfiguration,
        onEnd: @escaping @Sendable () -> Void
    ) {
        let isCancelled = state.withLock { state in
            state.onEnd = onEnd
            return state.course.isCancelled
        }
        guard !isCancelled else { return end(.failed(CancellationError())) }
        let body: SessionBody
        do {
            body = try SessionBody(request.body)
        } catch {
            return end(.failed(error))
        }
        var (session, delegate) = (session, delegate)
        #if !canImport(Darwin)
            // A body gets its own session, and so a fresh connection. When a reused connection is closed, libcurl sends
            // the request again, but FoundationNetworking has no body left: the task hangs, or sends an empty body.
            if !body.isEmpty {
                delegate = SessionDelegate()
                session = delegate.makeSession(configuration)
            }
            // The session ends after its task.
            defer { if !body.isEmpty { session.finishTasksAndInvalidate() } }
        #endif
        let task = body.makeTask(for: prepared(for: configuration, body), in: session)
        delegate.add(self, for: task)
        // A task that is never resumed would leak its session, so a cancelled one is resumed, too.
        task.resume()
        let mustCancel = state.withLock { state in
            // The task may already be over.
            if state.onEvent != nil { state.task = task }
            if state.isPaused { task.suspend() }
            return state.course.isCancelled
        }
        if mustCancel { Self.canceller.async { task.cancel() } }
    }

    /// The request without its body, which the task gets beside it, and with the longest timeout: the dispatcher
    /// measures the request's own timeout.
    private func prepared(for configuration: URLSessionConfiguration, _ body: SessionBody) -> URLRequest {
        var prepared = request.urlRequest
        if prepared.httpBody != nil { prepared.httpBody = nil }
        if prepared.httpBodyStream != nil { prepared.httpBodyStream = nil }
        prepared.timeoutInterval = 1e9
        #if canImport(Darwin)
            // The session would call it a form.
            if !body.isEmpty, prepared.value(forHTTPHeaderField: "Content-Type") == nil {
                prepared.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
            }
            // Only the session knows when the wait for a network is over, and the time of the server begins.
            if configuration.waitsForConnectivity {
                // The callers of a shared exchange can't tell silence from that wait.
                let silence = request.isShared ? Self.longestSilence : request.urlRequest.timeoutInterval
                // The default could mean the timeout of the session, which is as good as none.
                prepared.timeoutInterval = silence == TransferSettings.defaultTimeout ? silence + 1 : silence
            }
        #endif
        // A cache above has already decided that the server is asked.
        if isAskedByCache { prepared.cachePolicy = .reloadIgnoringLocalCacheData }
        return prepared
    }

    #if canImport(Darwin)
        /// For a shared exchange, in seconds.
        private static let longestSilence: TimeInterval = 3600
    #endif

    /// Whether a cache above keeps the response: the session must neither answer from its own, nor keep it, too.
    var isAskedByCache: Bool { request.cacheHop != nil }

    func cancel() {
        let task = state.withLock { state in
            state.course.isCancelled = true
            return state.task
        }
        if let task { Self.canceller.async { task.cancel() } }
    }

    // MARK: What the task reports, on the delegate's queue

    func received(_ response: URLResponse) {
        let head = TransferHead(response)
        // 100 and 103 are delivered like a head, and the final one follows.
        let isInterim = head.status.map { $0 < 200 } ?? false
        // Each part of a `multipart/x-mixed-replace` body has a head here, which the body of a stream is without.
        let isOfPart = state.withLock { state in
            defer { isInterim ? state.course.gotInterimHead() : state.course.gotHead() }
            return request.isStream && state.course.hasHead
        }
        if !isOfPart { deliver(.head(head, request: request.urlRequest)) }
    }

    func received(_ chunk: Data) {
        if !chunk.isEmpty { deliver(.body(chunk)) }
    }

    /// A part of the request's body was sent. (URLSession on Linux reports some of them twice.)
    func sent(_ bytes: Int64, of expected: Int64) {
        guard state.withLock({ $0.course.sent(bytes) }) else { return }
        deliver(.sent(bytes: bytes, expected: expected > 0 ? expected : nil))
    }

    /// The server asks for credentials. There are none, so the challenge is cancelled. The cancelled task is a success:
    /// its response is the 401.
    ///
    /// - Parameter response: the response with the challenge, in case that the task doesn't have it at its end.
    func challenged(by response: URLResponse? = nil) {
        state.withLock { state in
            state.course.isChallenged = true
            state.challenge = response
        }
    }

    /// The server redirects: the hop ends with that response.
    ///
    /// On Linux this is the one call out under a lock. A cancellation takes the same lock before it stops the task, so
    /// no answer comes after the stop, where FoundationNetworking would trap. The answer only enqueues a block.
    func redirected(by response: HTTPURLResponse, answer: @Sendable (URLRequest?) -> Void) {
        #if canImport(Darwin)
            answer(nil)
        #else
            state.withLock { state in
                if !state.course.isCancelled { answer(nil) }
            }
        #endif
    }

    func completed(_ response: URLResponse?, error: (any Error)?) {
        let state = state.withLock { $0 }
        let url = request.urlRequest.url
        if let failure = state.course.failure(error, url: url) { return end(.failed(failure)) }
        // A redirect or a 401 may end without a call that delivers its head. Then its body is also lost.
        if !state.course.hasHead {
            guard let response = response ?? state.challenge else {
                let failure = error.map { TransferError($0, url: url) } ?? TransferError(.badResponse, url: url)
                return end(.failed(failure))
            }
            deliver(.head(TransferHead(response).withoutLength, request: request.urlRequest))
        }
        if let metrics = state.metrics { deliver(.measured(metrics)) }
        end(.finished)
    }

    // MARK: -

    private func deliver(_ event: TransferEvent) {
        state.withLock { $0.onEvent }?(event)
    }

    private func end(_ event: TransferEvent) {
        let (onEvent, onEnd) = state.withLock { state in
            state.task = nil
            return (state.onEvent.take(), state.onEnd.take())
        }
        onEnd?()
        onEvent?(event)
    }
}
