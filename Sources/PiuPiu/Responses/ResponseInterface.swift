#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What every response has: a body, its head, and the request that it answers.
///
/// ```swift
/// func log(_ response: some ResponseInterface<Data?>) throws {
///     print(response.urlRequest, try response.decodeString())
/// }
/// ```
///
/// ``Response`` and ``HTTPResponse`` are the two kinds of the package. A body as it arrived is a `Data?`, and brings
/// the `decode` family along; everything there is synchronous and runs where it is called.
@preconcurrency
public protocol ResponseInterface<Body>: Sendable {
    /// The type of the body: `Data?` as it arrives, a model after decoding, the `URL` of a file after a download.
    associatedtype Body: Sendable

    /// The body.
    var data: Body { get }

    /// The head of the response.
    var urlResponse: URLResponse { get }

    /// The request that the response answers: after redirects, the last one.
    var urlRequest: URLRequest { get }
}
