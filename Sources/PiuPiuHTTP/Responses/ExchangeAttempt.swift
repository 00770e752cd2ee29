/// One attempt of an exchange, and its result.
///
/// ```swift
/// for attempt in response.earlierAttempts { log("\(attempt)") }     // attempt 1: 503, the next after 0.7 seconds
/// ```
///
/// The attempts before the last are in ``ResponseInterface/earlierAttempts``, and in those errors of this package that
/// an attempt can end with: ``TransferError/earlierAttempts``, ``UnacceptableStatusError/earlierAttempts``,
/// ``DeadlineExceeded/earlierAttempts``, ``CircuitOpenError/earlierAttempts`` and ``LineFullError/earlierAttempts``.
public struct ExchangeAttempt: Sendable {
    /// The number of the attempt, 1 for the first.
    public let number: Int

    /// The head of the response, or the error.
    public let result: Result<TransferHead, any Error>

    /// The wait before the next attempt; `nil` if it was the last, or if that isn't decided yet.
    public package(set) var delay: Duration?

    /// Describes an attempt, for a test of a ``RetryPolicy/Decision``.
    public init(number: Int, result: Result<TransferHead, any Error>) {
        self.number = number
        self.result = result
    }

    /// The head of the response; `nil` after an error, unless that is an ``UnacceptableStatusError``, which has the
    /// head.
    public var head: TransferHead? {
        switch result {
        case .success(let head): head
        case .failure(let error): (error as? UnacceptableStatusError)?.head
        }
    }

    /// The status of the response; `nil` where there is no ``head``, and for a response without HTTP.
    public var statusCode: StatusCode? { head?.status.map { StatusCode(rawValue: $0) } }

    /// The error; `nil` if there was a response. Of its body an ``UnacceptableStatusError`` has the first 4,096 bytes,
    /// but all that it had when a ``RetryPolicy/decision`` gets it.
    public var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }

    /// The same attempt for a history: without the rest of a long body.
    package var shortened: ExchangeAttempt {
        guard case .failure(let error as UnacceptableStatusError) = result else { return self }
        var attempt = ExchangeAttempt(number: number, result: .failure(error.shortened()))
        attempt.delay = delay
        return attempt
    }
}

extension ExchangeAttempt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number, the status or the kind of the error, and the wait: "attempt 1: 503, the next after 0.7 seconds".
    public var description: String {
        let wait = delay.map { ", the next after \($0)" } ?? ""
        return "attempt \(number): \(outcome)\(wait)"
    }

    private var outcome: String {
        switch result {
        case .failure(let error as UnacceptableStatusError): String(error.statusCode.rawValue)
        case .success(let head): head.status.map(String.init) ?? "a response"
        case .failure(let error as TransferError): error.kind.rawValue
        case .failure(let error): readableName(of: type(of: error))
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: headers may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
