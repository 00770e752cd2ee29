import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the session retains and calls, one call at a time: puts each call in the line, for the exchange that it is about.
///
/// A task that is not (or no longer) known here is none of the engine's.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges: Locked<[Int: SessionExchange]>
    private let events: SessionEventLine

    init(_ exchanges: Locked<[Int: SessionExchange]>, events: SessionEventLine) {
        self.exchanges = exchanges
        self.events = events
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        let identifier = task.taskIdentifier
        return exchanges.withLock { $0[identifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let exchange = exchange(of: dataTask) { events.append { exchange.received(response) } }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if let exchange = exchange(of: dataTask) { events.append(bytes: data.count) { exchange.received(data) } }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard let exchange = exchange(of: task) else { return }
        events.append(bytes: Int(bytesSent)) { exchange.sent(totalBytesSent, of: totalBytesExpectedToSend) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return }
        events.append { exchange.redirected(by: response, to: request, answer: completionHandler) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: identifier) }) else { return }
        let response = task.response
        events.append { exchange.completed(response, error: error) }
    }

    #if !canImport(Darwin)
        // Without this method every API hangs on a 401; `.performDefaultHandling` hangs, too.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let exchange = exchange(of: task) { events.append { exchange.challenged() } }
            // The answer cancels the task, which traps when it happens inside a call of the session's.
            SessionExchange.canceller.async { completionHandler(.cancelAuthenticationChallenge, nil) }
        }
    #endif
}
