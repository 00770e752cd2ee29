/// What an exchange says of its server, event by event.
package struct ExchangeVerdict: Sendable {
    private let isLarge: Bool
    private var hasAnswered = false

    /// - Parameter isLarge: whether the head decides, as the body may have no end.
    package init(isLarge: Bool) {
        self.isLarge = isLarge
    }

    /// What is known for good after this event; `nil` if that is nothing yet.
    package mutating func outcome(after event: TransferEvent) -> Circuit.Outcome? {
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

    /// What is known if the exchange ends with this error.
    package func outcome(ofGivingUp error: any Error) -> Circuit.Outcome {
        if let error = error as? TransferError {
            return RetryRules.passingErrors.contains(error.kind) ? .failure : .nothing
        }
        // Nobody wants the rest; but the server has answered.
        return hasAnswered ? .success : .nothing
    }
}
