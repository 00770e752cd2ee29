/// The methods that `URLRequest.requestFor` knows.
///
/// For others see `HTTPMethod` of PiuPiu.
public enum HttpMethod: String, Sendable {
    /// Asks for the resource.
    case get = "GET"
    /// Hands the body to the resource.
    case post = "POST"
    /// Replaces the resource by the body.
    case put = "PUT"
    /// Removes the resource.
    case delete = "DELETE"
}
