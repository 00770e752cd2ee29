import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a session, called one call at a time: passes each call to its hop.
///
/// The session retains it until it is invalidated. It refers to the running hops and not to the engine, so that the
/// engine's `deinit` comes.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    #if canImport(Darwin)
        private let trust: SessionTrust
        /// Where certificates are checked, several at once: a check may ask a server whether one was revoked.
        private let checks = DispatchQueue(label: "PiuPiu.trust", attributes: .concurrent)

        init(_ security: TransferSecurity) {
            trust = SessionTrust(security)
        }
    #endif

    private let hops = Locked<[Int: SessionHop]>([:])
    /// Retained here, as an operation queue doesn't retain its underlying queue.
    private let queue = DispatchQueue(label: "PiuPiu.session", target: .global())

    /// A session that calls this delegate.
    func makeSession(_ configuration: URLSessionConfiguration) -> URLSession {
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = queue
        return URLSession(configuration: configuration, delegate: self, delegateQueue: operations)
    }

    /// Directs the calls about a task to this hop, before the task is resumed.
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

    #if canImport(Darwin)
        /// An interim response other than 101, which Linux delivers like the final one.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            hop(of: task)?.received(response)
        }
    #endif

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
        guard let hop = hop(of: task) else {
            // On Apple platforms each call is answered, once; on Linux the answer would trap.
            #if canImport(Darwin)
                completionHandler(nil)
            #endif
            return
        }
        hop.redirected(by: response, answer: completionHandler)
    }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            completionHandler(hop(of: dataTask)?.isAskedByCache == true ? nil : proposedResponse)
        }

        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            hop(of: task)?.waitsForNetwork()
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            hop(of: task)?.measured(metrics)
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let identifier = task.taskIdentifier
        let hop = hops.withLock { $0.removeValue(forKey: identifier) }
        hop?.completed(task.response, error: error)
    }

    #if canImport(Darwin)
        // Challenges about the connection also come here, as the delegate has no method for the whole session.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard trust.mayAnswer else { return completionHandler(.performDefaultHandling, nil) }
            let hop = hop(of: task)
            // Not on the queue of the session, where the events of all its tasks would wait.
            checks.async { [trust] in
                switch trust.answer(to: challenge) {
                case .standard: completionHandler(.performDefaultHandling, nil)
                case .given(let disposition, let credential):
                    if disposition == .cancelAuthenticationChallenge { hop?.refused(challenge) }
                    completionHandler(disposition, credential)
                case .refused(let kind):
                    hop?.refused(kind)
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            }
        }
    #else
        // Without this method every API hangs on a 401. `.performDefaultHandling` also hangs.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            hop(of: task)?.challenged()
            // The answer cancels the task, which traps inside a call of the session.
            SessionHop.canceller.async { completionHandler(.cancelAuthenticationChallenge, nil) }
        }
    #endif
}
