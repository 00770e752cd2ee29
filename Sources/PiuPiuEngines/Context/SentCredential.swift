#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The credential in a request, for what is inside its authenticator: policies that may send the request again, and the
/// exchange that waits for its turn (rule SESSION).
package final class SentCredential: Sendable {
    let urlRequest: URLRequest
    private let failure: @Sendable () -> (any Error)?
    /// That of an authenticator around this one, in the same exchange.
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
        outer = context.sentCredential(of: urlRequest)
    }

    /// The error of sending the request, or sending it again, if a credential in it was removed.
    var removal: (any Error)? { failure() ?? outer?.removal }
}
