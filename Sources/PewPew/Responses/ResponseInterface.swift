public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The parts of every response: a body, its head, and the request that it answers.
public protocol ResponseInterface {
    /// The type of the body.
    associatedtype T
    /// The body.
    var data: T { get }
    /// The head.
    var httpResponse: HTTPURLResponse { get }
    /// The request, as it was sent.
    var urlRequest: URLRequest { get }
    /// The status.
    var statusCode: StatusCode { get }
}
