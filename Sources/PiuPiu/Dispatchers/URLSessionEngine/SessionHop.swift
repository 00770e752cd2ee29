import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One hop of an exchange over `URLSession`.
final class SessionHop: TransferHandle {
    private struct State {
        var task: URLSessionTask?
        var onEvent: (@Sendable (TransferEvent) -> Void)?
        var onEnd: (@Sendable () -> Void)?
        var isCancelled = false
        var isPaused = false
        var isChallenged = false
        var hasHead = false
        var sent: Int64 = 0
    }

    /// `URLSessionTask.cancel()` waits for a queue on Linux, and traps when it is called on it; here it has nobody to keep
    /// waiting.
    static let canceller = DispatchQueue(label: "PiuPiu.canceller")

    private let request: TransferRequest
    private let state: Locked<State>

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
            return state.isCancelled
        }
        guard !isCancelled else { return end(.failed(CancellationError())) }
        let body: SessionBody
        do {
            body = try SessionBody(request.body)
        } catch {
            return end(.failed(error))
        }
        #if canImport(Darwin)
            let ownSession: URLSession? = nil
        #else
            // With it goes a connection of its own. When one that was used before is closed, libcurl sends the request again,
            // and FoundationNetworking has no body left for it: the task hangs, or sends an empty body.
            let ownSession = body.isEmpty ? nil : SessionDelegate().makeSession(configuration)
        #endif
        let used = ownSession ?? session
        let task = body.makeTask(for: prepared, in: used)
        (used.delegate as? SessionDelegate ?? delegate).add(self, for: task)
        // One that was made but never resumed would leak its session, so a cancelled one is resumed as well.
        task.resume()
        ownSession?.finishTasksAndInvalidate()
        let (mustCancel, mustSuspend) = state.withLock { state in
            // It may be over already.
            if state.onEvent != nil { state.task = task }
            return (state.isCancelled, state.isPaused)
        }
        if mustCancel { Self.canceller.async { task.cancel() } } else if mustSuspend { setSuspended(true) }
    }

    /// The request without its body, which goes beside it, and with a timeout that is as long as possible: its own is seen to
    /// outside of the session.
    private var prepared: URLRequest {
        var prepared = request.urlRequest
        if prepared.httpBody != nil { prepared.httpBody = nil }
        if prepared.httpBodyStream != nil { prepared.httpBodyStream = nil }
        prepared.timeoutInterval = 1e9
        return prepared
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        if let task { Self.canceller.async { task.cancel() } }
    }

    // On Linux a suspended task would repeat its request: nothing is held up there.

    func pause() {
        #if canImport(Darwin)
            setSuspended(true)
        #endif
    }

    func resume() {
        #if canImport(Darwin)
            setSuspended(false)
        #endif
    }

    private func setSuspended(_ isSuspended: Bool) {
        #if canImport(Darwin)
            // Under the lock, as a task counts how often it was suspended.
            state.withLock { state in
                guard state.isPaused != isSuspended || state.task == nil else { return }
                state.isPaused = isSuspended
                if isSuspended { state.task?.suspend() } else { state.task?.resume() }
            }
        #endif
    }

    // MARK: What the task tells, on the delegate's queue

    func received(_ response: URLResponse) {
        let head = TransferHead(response)
        // 100 and 103 are delivered like a head, and the real one follows.
        if let status = head.status, status < 200 { return }
        state.withLock { $0.hasHead = true }
        tell(.head(head, request: request.urlRequest))
    }

    func received(_ chunk: Data) {
        if !chunk.isEmpty { tell(.body(chunk)) }
    }

    /// A part of the request's body was sent. (URLSession on Linux tells some of them twice.)
    func sent(_ bytes: Int64, of expected: Int64) {
        let isNew = state.withLock { state in
            defer { state.sent = bytes }
            return bytes > state.sent
        }
        if isNew { tell(.sent(bytes: bytes, expected: expected > 0 ? expected : nil)) }
    }

    /// The server asks for credentials. There are none, so the challenge is cancelled, and the cancelled task is a success:
    /// its response is the 401.
    func challenged() {
        state.withLock { $0.isChallenged = true }
    }

    /// The server redirects: the hop ends with that response.
    ///
    /// The one call out under a lock: a cancellation takes the same lock before its task is stopped, so no answer can come
    /// after the stop, on which FoundationNetworking would trap. The answer only enqueues a block.
    func redirected(by response: HTTPURLResponse, answer: @Sendable (URLRequest?) -> Void) {
        state.withLock { state in
            if !state.isCancelled { answer(nil) }
        }
    }

    func completed(_ response: URLResponse?, error: (any Error)?) {
        let state = state.withLock { $0 }
        let isAnswer = error == nil || state.isChallenged && (error as? URLError)?.code == .cancelled
        guard isAnswer, !state.isCancelled else { return end(.failed(failure(for: error))) }
        // A redirect, or a 401, may end without a call that delivers its head, and then its body is lost, too.
        if !state.hasHead {
            guard let response else { return end(.failed(TransferError(.badResponse, url: request.urlRequest.url))) }
            tell(.head(TransferHead(response).withoutLength, request: request.urlRequest))
        }
        end(.finished)
    }

    private func failure(for error: (any Error)?) -> any Error {
        guard let error, (error as? URLError)?.code != .cancelled else { return CancellationError() }
        return TransferError(error, url: request.urlRequest.url)
    }

    // MARK: -

    private func tell(_ event: TransferEvent) {
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
