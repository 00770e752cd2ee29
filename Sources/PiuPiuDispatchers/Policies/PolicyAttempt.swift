import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An exchange on its way down, with the changes of the policies above.
struct PolicyAttempt: Sendable {
    var urlRequest: URLRequest
    var body: TransferBody
    let kind: ExchangeKind
    var context: PolicyContext
    var work: InlineWork

    /// Whether everything below ends as soon as it is cancelled.
    var endsPromptly: Bool

    init<Content>(_ exchange: PendingExchange<Content>, in work: InlineWork) {
        urlRequest = exchange.urlRequest
        body = exchange.body
        kind = exchange.kind
        context = .current
        endsPromptly = exchange.endsPromptly
        self.work = work
        if context.isOfNone { self.work.isInOwnContext = true }
    }
}
