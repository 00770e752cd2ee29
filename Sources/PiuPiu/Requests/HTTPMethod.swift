/// The method of an HTTP request (RFC 9110, section 9; PATCH: RFC 5789).
///
/// ```swift
/// var request = URLRequest(url: url, method: .post)
/// ```
///
/// For a method that isn't here, set `URLRequest.httpMethod` to its name.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// Asks what can be done with the resource.
    case options = "OPTIONS"
    /// Asks for the resource.
    case get = "GET"
    /// Asks for the head that a GET would be answered with.
    case head = "HEAD"
    /// Hands the body to the resource, to process it as it sees fit.
    case post = "POST"
    /// Replaces the resource by the body.
    case put = "PUT"
    /// Changes the resource as the body says.
    case patch = "PATCH"
    /// Removes the resource.
    case delete = "DELETE"
    /// Asks for the request itself, as it arrived.
    case trace = "TRACE"
    /// Asks a proxy for a tunnel.
    case connect = "CONNECT"
}
