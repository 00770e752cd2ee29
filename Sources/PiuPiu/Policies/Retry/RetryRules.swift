import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// After which outcomes a request may be sent again (rules IDEMPOTENT and WHAT).
package struct RetryRules: Sendable {
    package var methods: Set<HTTPMethod>
    package var errors: Set<TransferError.Kind>
    package var statuses: Set<StatusCode>

    package init(methods: Set<HTTPMethod>, errors: Set<TransferError.Kind>, statuses: Set<StatusCode>) {
        self.methods = methods
        self.errors = errors
        self.statuses = statuses
    }

    /// Those that ``RetryPolicy`` documents.
    package static let standard = RetryRules(
        methods: idempotentMethods, errors: passingErrors, statuses: passingStatuses)

    /// RFC 9110, section 9.2.2.
    package static let idempotentMethods: Set<HTTPMethod> = [.get, .head, .options, .trace, .put, .delete]

    /// What may be otherwise the next time.
    package static let passingErrors: Set<TransferError.Kind> = [
        .cannotConnect, .hostNotFound, .timedOut, .connectionLost, .truncated, .badResponse,
    ]

    /// What may be otherwise the next time.
    package static let passingStatuses: Set<StatusCode> = [
        .requestTimeout, .tooEarly, .tooManyRequests, .internalServerError, .badGateway, .serviceUnavailable,
        .gatewayTimeout,
    ]

    /// Whether a request of this method may be sent twice, as far as that can be told by the method.
    package func isIdempotent(_ method: String?) -> Bool {
        HTTPMethod(rawValue: method?.uppercased() ?? "GET").map(methods.contains) ?? false
    }

    /// Whether there is to be another attempt after this one.
    ///
    /// - Parameter isIdempotent: whether the request may be sent twice, even if the server has carried it out; asked for where
    ///   that decides.
    package func isWanted(after attempt: ExchangeAttempt, isIdempotent: @autoclosure () -> Bool) -> Bool {
        // First: a validation inside has made an error of it.
        if let status = attempt.statusCode { return statuses.contains(status) && isIdempotent() }
        // What this package has refused itself passes, and nothing was sent.
        if let error = attempt.error as? any RefusalError { return error.isUnsent || isIdempotent() }
        guard let error = attempt.error?.transferError else { return false }
        return errors.contains(error.kind) && (error.isUnsent || isIdempotent())
    }

    /// Whether the exchange is a success as the budget counts it: the server is there, and has done what it could.
    package func isSuccess(_ attempt: ExchangeAttempt) -> Bool {
        guard let status = attempt.statusCode else { return attempt.error == nil }
        return !statuses.contains(status) && !(500...599 ~= status.rawValue)
    }
}

extension Error {
    /// The same as an error of this package: a dispatcher of somebody else may report those of `URLSession`, and a deadline
    /// inside is a limit for each attempt.
    fileprivate var transferError: TransferError? {
        if self is DeadlineExceeded { return TransferError(.timedOut) }
        return self as? TransferError ?? (self as? URLError).map { TransferError($0, url: nil) }
    }
}
