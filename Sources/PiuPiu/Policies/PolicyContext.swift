import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the policies around an exchange leave for whatever is inside: the task has it while the exchange is carried out.
package struct PolicyContext: Sendable {
    @TaskLocal package static var current = PolicyContext()

    /// The deadline that is due first.
    package var deadline: Deadline?
    /// The innermost observation.
    package var observation: ExchangeObservation?
    /// The innermost retry.
    var retryScope: RetryScope?

    /// The observation of this request, if it is observed.
    func observation(of urlRequest: URLRequest) -> ExchangeObservation? {
        guard let observation, observation.exchange.isAsked(by: urlRequest) else { return nil }
        return observation
    }

    /// Whether there is an observation, and of another request.
    func isOfAnother(_ urlRequest: URLRequest) -> Bool {
        observation.map { !$0.exchange.isAsked(by: urlRequest) } ?? false
    }

    package init(deadline: Deadline? = nil) {
        self.deadline = deadline
    }
}
