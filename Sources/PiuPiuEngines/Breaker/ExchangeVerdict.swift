/// What an exchange says about its server, event by event.
struct ExchangeVerdict: Sendable {
    private let isLarge: Bool
    private var hasAnswered = false
    private var hasFailedBody = false

    /// - Parameter isLarge: whether the head decides, because the body may be endless.
    init(isLarge: Bool) {
        self.isLarge = isLarge
    }

    /// The chunks of the request's body have thrown an error.
    mutating func bodyFailed() { hasFailedBody = true }

    /// The final outcome after this event; `nil` if it is not known yet.
    mutating func outcome(after event: TransferEvent) -> Circuit.Outcome? {
        switch event {
        case .head(let head, _):
            guard let status = head.status, status >= 200 else { return nil }
            if status >= 500 { return .failure }
            hasAnswered = true
            return isLarge ? .success : nil
        case .finished: return .success
        case .failed(let error): return outcome(ofGivingUp: error)
        case .sent, .body, .measured: return nil
        }
    }

    /// The outcome if the exchange ends with this error.
    func outcome(ofGivingUp error: any Error) -> Circuit.Outcome {
        // The chunks may come from another server, so their error is no failure of this one.
        if !hasFailedBody, let error = error as? TransferError {
            return RetryRules.passingErrors.contains(error.kind) ? .failure : .nothing
        }
        // The rest isn't wanted any more, but the server has answered.
        return hasAnswered ? .success : .nothing
    }
}
