import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the policies around an exchange pass on to everything inside, as one task-local value.
package struct PolicyContext: Sendable {
    @TaskLocal package static var current = PolicyContext()

    /// The earliest deadline.
    package var deadline: Deadline?
    /// The innermost observation.
    package var observation: ExchangeObservation?
    /// The innermost retry.
    var retryScope: RetryScope?

    /// The observation of this request, if there is one.
    func observation(of urlRequest: URLRequest) -> ExchangeObservation? {
        guard let observation, observation.exchange.isAsked(by: urlRequest) else { return nil }
        return observation
    }

    /// Whether there is an observation, but of another request.
    func isOfAnother(_ urlRequest: URLRequest) -> Bool {
        observation.map { !$0.exchange.isAsked(by: urlRequest) } ?? false
    }

    package init(deadline: Deadline? = nil) {
        self.deadline = deadline
    }
}
