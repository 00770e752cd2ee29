import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a session retains and calls, one call at a time: brings each call to the hop that it is about.
///
/// The session retains it until it is invalidated; it knows the running hops and not the engine, whose `deinit` comes.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    #if canImport(Darwin)
        private let trust: SessionTrust

        init(_ security: TransferSecurity) {
            trust = SessionTrust(security: security)
        }
    #endif

    private let hops = Locked<[Int: SessionHop]>([:])
    /// An operation queue doesn't retain the one below it.
    private let queue = DispatchQueue(label: "PiuPiu.session", target: .global())

    /// A session that calls this delegate.
    func makeSession(_ configuration: URLSessionConfiguration) -> URLSession {
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = queue
        return URLSession(configuration: configuration, delegate: self, delegateQueue: operations)
    }

    /// The calls about a task, which is not resumed yet, are for this hop.
    func add(_ hop: SessionHop, for task: URLSessionTask) {
        let identifier = task.taskIdentifier
        hops.withLock { $0[identifier] = hop }
    }

    private func hop(of task: URLSessionTask) -> SessionHop? {
        let identifier = task.taskIdentifier
        return hops.withLock { $0[identifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        hop(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        hop(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        hop(of: task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        hop(of: task)?.redirected(by: response, answer: completionHandler)
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            hop(of: task)?.measured(TransferMetrics(metrics))
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        let hop = hops.withLock { $0.removeValue(forKey: identifier) }
        hop?.completed(task.response, error: error)
    }

    #if canImport(Darwin)
        // Challenges about the connection come here, too, as there is no method for those of the whole session.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            switch trust.answer(to: challenge) {
            case .standard: completionHandler(.performDefaultHandling, nil)
            case .given(let disposition, let credential): completionHandler(disposition, credential)
            case .refused(let kind):
                hop(of: task)?.refused(kind)
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }
    #else
        // Without this method every API hangs on a 401; `.performDefaultHandling` hangs, too.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            hop(of: task)?.challenged()
            // The answer cancels the task, which traps when it happens inside a call of the session's.
            SessionHop.canceller.async { completionHandler(.cancelAuthenticationChallenge, nil) }
        }
    #endif
}
