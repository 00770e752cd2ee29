/// The methods of `URLRequest.requestFor`.
///
/// For others see `HTTPMethod` of PiuPiu.
public enum HttpMethod: String, Sendable {
    /// Requests the resource.
    case get = "GET"
    /// Passes the body to the resource.
    case post = "POST"
    /// Replaces the resource with the body.
    case put = "PUT"
    /// Removes the resource.
    case delete = "DELETE"
}
