import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The outcomes after which a request may be sent again (rules IDEMPOTENT and WHAT).
package struct RetryRules: Sendable {
    package var methods: Set<HTTPMethod>
    package var errors: Set<TransferError.Kind>
    package var statuses: Set<StatusCode> {
        didSet { leastStatus = Self.least(of: statuses) }
    }

    /// Most responses have a lesser one, and need no look-up.
    private var leastStatus: Int

    package init(methods: Set<HTTPMethod>, errors: Set<TransferError.Kind>, statuses: Set<StatusCode>) {
        self.methods = methods
        self.errors = errors
        self.statuses = statuses
        leastStatus = Self.least(of: statuses)
    }

    private static func least(of statuses: Set<StatusCode>) -> Int { statuses.lazy.map(\.rawValue).min() ?? .max }

    private func isTransient(_ status: StatusCode) -> Bool {
        status.rawValue >= leastStatus && statuses.contains(status)
    }

    /// The rules that ``RetryPolicy`` documents.
    package static let standard = RetryRules(
        methods: Set(HTTPMethod.allCases.filter(\.isIdempotent)), errors: passingErrors, statuses: passingStatuses)

    /// Transient: the next attempt may succeed.
    package static let passingErrors: Set<TransferError.Kind> = [
        .cannotConnect, .hostNotFound, .timedOut, .connectionLost, .truncated, .badResponse,
    ]

    /// Transient: the next attempt may succeed.
    package static let passingStatuses: Set<StatusCode> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]

    /// Whether a request may be sent twice, judged by its method.
    package func isIdempotent(_ method: String?) -> Bool {
        HTTPMethod(rawValue: method?.uppercased() ?? "GET").map(methods.contains) ?? false
    }

    /// Whether to make another attempt after this one.
    ///
    /// - Parameters:
    ///   - isIdempotent: whether the request may be sent twice, even if the server has carried it out; evaluated only
    ///     if that decides.
    ///   - wasSent: whether a server may have received the request nevertheless, if the error says that none has: it
    ///     may be the error of another request, such as the refresh of a credential, or one by an adapter of the
    ///     response or by the chunks of the body.
    package func isWanted(
        after attempt: ExchangeAttempt, isIdempotent: @autoclosure () -> Bool, wasSent: @autoclosure () -> Bool = false
    ) -> Bool {
        // A cache would have the same answer again.
        if let status = attempt.head?.cacheStatus, !status.isOfServer { return false }
        // First, because a validation inside may have made it an error.
        if let status = attempt.statusCode { return isTransient(status) && isIdempotent() }
        // A refusal by this package is transient, and nothing was sent.
        if let error = attempt.error as? any RefusalError { return error.isUnsent && !wasSent() || isIdempotent() }
        // A file that changes while it is read is no matter of the network.
        guard let error = attempt.error?.transferError, error.url?.isFileURL != true else { return false }
        return errors.contains(error.kind) && (error.isUnsent && !wasSent() || isIdempotent())
    }

    /// Whether no rule wants another attempt after this response, whatever the request.
    package func isFinal(_ head: TransferHead) -> Bool {
        head.status.map { !isTransient(StatusCode(rawValue: $0)) } ?? true
    }

    /// Whether the budget counts the exchange as a success: the server works.
    package func isSuccess(_ attempt: ExchangeAttempt) -> Bool { attempt.head.map(isSuccess) ?? (attempt.error == nil) }

    /// The same of an exchange that ends with this response.
    package func isSuccess(_ head: TransferHead) -> Bool {
        if let status = head.cacheStatus, !status.isOfServer { return false }
        guard let status = head.status else { return true }
        return isFinal(head) && !(500...599 ~= status)
    }
}

extension CacheStatus {
    /// Whether a server has answered: the cache neither knew the answer, nor has it replaced a failure.
    fileprivate var isOfServer: Bool { !isHit && forward != nil && detail.flatMap(Failure.init) == nil }
}

extension Error {
    /// The equivalent error of this package: other dispatchers may report those of `URLSession`, and a deadline inside
    /// limits each attempt.
    fileprivate var transferError: TransferError? {
        if self is DeadlineExceeded { return TransferError(.timedOut) }
        return self as? TransferError ?? (self as? URLError).map { TransferError($0, url: nil) }
    }
}
