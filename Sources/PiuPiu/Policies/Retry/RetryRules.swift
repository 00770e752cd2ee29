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
    /// - Parameter isIdempotent: whether the request may be sent twice, even if the server has carried it out.
    package func isWanted(after attempt: ExchangeAttempt, isIdempotent: Bool) -> Bool {
        switch attempt.result {
        case .success: isIdempotent && attempt.statusCode.map(statuses.contains) ?? false
        case .failure(let error as TransferError): errors.contains(error.kind) && (isIdempotent || error.isUnsent)
        case .failure: false
        }
    }

    /// Whether the exchange is a success as the budget counts it: the server is there, and has done what it could.
    package func isSuccess(_ attempt: ExchangeAttempt) -> Bool {
        guard attempt.error == nil, let status = attempt.statusCode else { return attempt.error == nil }
        return !statuses.contains(status) && !(500...599 ~= status.rawValue)
    }
}

extension TransferError {
    /// Whether no server can have had the request.
    fileprivate var isUnsent: Bool {
        switch kind {
        case .cannotConnect, .hostNotFound, .tooManyStreams: !isAfterRedirect
        default: false
        }
    }
}
