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
    /// The names of the headers that it is in, in lower case, whether or not they sound like secrets.
    let headerNames: Set<String>
    private let failure: @Sendable () -> (any Error)?
    /// That of an authenticator around this one, in the same exchange.
    private let outer: SentCredential?

    /// - Parameters:
    ///   - urlRequest: the request as the authenticator got it.
    ///   - sent: the same with the credential.
    ///   - context: what the policies around the authenticator have left.
    ///   - failure: the error of sending it again, if the user has signed out since.
    package init(
        in urlRequest: URLRequest, sentAs sent: URLRequest, inside context: PolicyContext,
        failure: @escaping @Sendable () -> (any Error)?
    ) {
        self.urlRequest = urlRequest
        self.failure = failure
        outer = context.sentCredential(of: urlRequest)
        let before = urlRequest.allHTTPHeaderFields ?? [:], after = sent.allHTTPHeaderFields ?? [:]
        let own = Set(after.filter { before[$0.key] != $0.value }.keys.map { $0.lowercased() })
        headerNames = outer.map { own.union($0.headerNames) } ?? own
    }

    /// The error of sending the request, or sending it again, if a credential in it was removed.
    var removal: (any Error)? { failure() ?? outer?.removal }
}
