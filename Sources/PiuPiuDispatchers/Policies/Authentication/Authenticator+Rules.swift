import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The decisions of an authenticator about requests, responses and the time.
extension Authenticator {
    /// Whether a request is sent with the credential (rules EXEMPT and EARLY).
    func concerns(_ urlRequest: URLRequest) -> Bool {
        guard let origin = urlRequest.url?.origin, origins.contains(where: { $0.origin == origin }) else {
            return false
        }
        return !RefreshScope.isCurrent(of: store) && appliesTo?(urlRequest) != false
    }

    /// Whether a response rejects the credential.
    func isRejected(_ response: some ResponseInterface) -> Bool {
        let head = response.head
        // A redirect doesn't send the credential to another origin, which therefore can't have rejected it.
        guard !head.redirects.isEmpty, let first = head.redirects.first?.urlRequest.url?.origin else {
            return isRejected(head)
        }
        let hops = head.redirects.map(\.urlRequest) + [response.urlRequest]
        return hops.allSatisfy { $0.url?.origin == first } && isRejected(head)
    }

    private func isRejected(_ head: TransferHead) -> Bool {
        let isRejected = head.status.map { rejectedStatuses.contains(StatusCode(rawValue: $0)) } ?? false
        return rejection?(head, isRejected) ?? isRejected
    }

    /// The generation of the credential if it is about to expire (rule EARLY).
    var expiredGeneration: Int? {
        guard let expiry else { return nil }
        let issued = store.issued
        guard let date = issued.credential.flatMap(expiry) else { return nil }
        return date.timeIntervalSince(now()) <= leeway / .seconds(1) ? issued.generation : nil
    }

    /// The maximum rate of refreshes (rule BOUND); `nil` if there are none.
    var bound: CredentialCourse<Credential>.Bound? {
        refresh == nil ? nil : CredentialCourse.Bound(count: maximumRefreshes, period: .seconds(30))
    }

    /// The origin of the credential, for errors.
    var originText: String { origins.first?.origin ?? "" }

    var refreshTimedOut: AuthenticationError { .refreshTimedOut(after: timeLimit, origin: originText) }
    var tooManyRefreshes: AuthenticationError { .tooManyRefreshes(maximum: maximumRefreshes, origin: originText) }
    var credentialRemoved: AuthenticationError { .credentialRemoved(origin: originText) }
}
