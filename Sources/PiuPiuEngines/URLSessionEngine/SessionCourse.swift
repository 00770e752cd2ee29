package import Foundation

/// What a session has reported about a task, and what its end means.
///
/// A pure value: ``SessionHop`` keeps it under a lock.
package struct SessionCourse: Sendable {
    /// Whether the exchange was cancelled.
    package var isCancelled = false

    /// Whether a challenge was cancelled for lack of credentials, so that the refusing response is the answer.
    package var isChallenged = false

    /// Why the server, or its demand, was refused.
    package var refusal: TransferError.Kind?

    /// Whether a head has come.
    package private(set) var hasHead = false

    /// How many bytes of the request's body were sent.
    package private(set) var bytesSent: Int64 = 0

    /// Whether the task waits for a network, as far as the session tells: it doesn't report the end of the wait.
    package private(set) var isWaitingForNetwork = false

    /// Whether the session has measured that it began to send the request.
    package var hasBegunRequest = false

    package init() {}

    /// The task waits for a network.
    package mutating func waitsForNetwork() {
        if !hasHead, bytesSent == 0 { isWaitingForNetwork = true }
    }

    /// A head has come, and the final one will follow.
    package mutating func gotInterimHead() { isWaitingForNetwork = false }

    /// A head has come.
    package mutating func gotHead() {
        hasHead = true
        isWaitingForNetwork = false
    }

    /// A part of the request's body was sent. Returns whether that is news.
    package mutating func sent(_ bytes: Int64) -> Bool {
        isWaitingForNetwork = false
        defer { bytesSent = bytes }
        return bytes > bytesSent
    }

    /// The error of the exchange; `nil` if the task has an answer.
    ///
    /// - Parameters:
    ///   - error: that of the task; `nil` if it is complete.
    ///   - url: the URL of the request.
    package func failure(_ error: (any Error)?, url: URL?) -> (any Error)? {
        guard !isCancelled else { return CancellationError() }
        if let refusal { return TransferError(refusal, url: url, underlyingError: error) }
        guard let error else { return nil }
        // Neither the caller nor a challenge has cancelled the task: that is no cancellation of the exchange.
        return isChallenged && (error as? URLError)?.code == .cancelled ? nil : failure(error, url: url)
    }

    /// The error of a task that has failed, in view of how far it got.
    private func failure(_ error: any Error, url: URL?) -> TransferError {
        let failure = TransferError(error, url: url)
        return switch failure.kind {
        // On Apple platforms also the errors of a network that went away: the server may have got the request.
        case .cannotConnect where isBegun, .hostNotFound where isBegun: failure.changed(to: .connectionLost)
        case .connectionLost where hasHead && failure.isOrderlyEnd: failure.changed(to: .truncated)
        default: failure
        }
    }

    /// Whether a server may have got something of the request.
    private var isBegun: Bool { hasHead || bytesSent > 0 || hasBegunRequest }
}

extension TransferError {
    /// The same failure, of another kind.
    fileprivate func changed(to kind: Kind) -> TransferError {
        TransferError(kind, url: url, underlyingError: underlyingError)
    }
}
