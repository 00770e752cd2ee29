/// How an exchange ended, and its cost.
///
/// ```swift
/// if case .finished(let summary) = event.step, case .failure(let error) = summary.outcome { report(error) }
/// ```
///
/// It shows no secret when it is printed: no header, and only the kind of an error.
public struct ExchangeSummary: Sendable {
    /// How an exchange ended.
    public enum Outcome: Sendable {
        /// With a response of any status; a stream when its body was read to the end.
        case response(TransferHead)
        /// With an error.
        case failure(any Error)
        /// It was cancelled, or the body of a stream was released before its end.
        case cancelled
    }

    /// How it ended.
    public let outcome: Outcome

    /// The metrics of the last hop of the last attempt; `nil` without a response, or without measurement.
    public var metrics: TransferMetrics? { head?.metrics }

    /// The bytes of bodies that were sent, over all attempts and redirects, without headers.
    public let bytesSent: Int64

    /// The bytes of bodies that were received, over all attempts, without headers and after decoding.
    ///
    /// This package's dispatchers count both. For others, and for mocks, they are the lengths of bodies that are data.
    public let bytesReceived: Int64

    /// The time since the start, including attempts, waits and queues.
    public let duration: Duration

    /// The head of the response; `nil` after an error or a cancellation.
    public var head: TransferHead? { if case .response(let head) = outcome { head } else { nil } }

    /// The status of the response; `nil` after an error or a cancellation, and for a response without HTTP.
    public var statusCode: StatusCode? { head?.status.map { StatusCode(rawValue: $0) } }

    /// The error; `nil` if there was a response, or a cancellation.
    public var error: (any Error)? { if case .failure(let error) = outcome { error } else { nil } }
}

extension ExchangeSummary: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The outcome, the time and the bytes: "finished 200 in 12.5 ms, 0 bytes sent, 292 received".
    public var description: String {
        "\(outcome) in \(duration.milliseconds), \(bytesSent) bytes sent, \(bytesReceived) received"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: heads and errors may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ExchangeSummary.Outcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The outcome in words: "finished 200", "failed with timedOut", "cancelled".
    public var description: String {
        switch self {
        case .response(let head): head.status.map { "finished \($0)" } ?? "finished"
        case .failure(let error as TransferError): "failed with \(error.kind.rawValue)"
        case .failure(let error): "failed with \(readableName(of: type(of: error)))"
        case .cancelled: "cancelled"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: heads and errors may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Duration {
    /// The duration in milliseconds, with one decimal, rounded down: "12.5 ms".
    var milliseconds: String {
        let (seconds, attoseconds) = components
        let (tenths, isTooLong) = seconds.multipliedReportingOverflow(by: 10_000)
        guard !isTooLong, self >= .zero else { return "\(self)" }
        let all = tenths.addingReportingOverflow(attoseconds / 100_000_000_000_000).partialValue
        return "\(all / 10).\(all % 10) ms"
    }
}
