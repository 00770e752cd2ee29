#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The credential in a request, for the policies inside its authenticator, which may send the request again (rule
/// SESSION).
package final class SentCredential: Sendable {
    private let urlRequest: URLRequest
    private let failure: @Sendable () -> (any Error)?
    /// That of an authenticator around this one.
    private let outer: SentCredential?

    /// - Parameters:
    ///   - urlRequest: the request as the authenticator got it.
    ///   - context: what the policies around the authenticator have left.
    ///   - failure: the error of sending it again, if the user has signed out since.
    package init(
        in urlRequest: URLRequest, inside context: PolicyContext, failure: @escaping @Sendable () -> (any Error)?
    ) {
        self.urlRequest = urlRequest
        self.failure = failure
        outer = context.sentCredential
    }

    /// The error of sending this request again, if a credential in it was removed.
    func removal(of urlRequest: URLRequest, in context: PolicyContext) -> (any Error)? {
        var next: SentCredential? = self
        while let sent = next {
            if context.isSameExchange(urlRequest, as: sent.urlRequest), let error = sent.failure() { return error }
            next = sent.outer
        }
        return nil
    }
}
