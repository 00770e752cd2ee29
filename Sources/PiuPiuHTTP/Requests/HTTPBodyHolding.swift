public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request whose body can be set: a `URLRequest`, a ``BasicRequest``, or a type of yours.
///
/// ```swift
/// var request = URLRequest(url: url, method: .post)
/// try request.setJSONBody(post, dateEncodingStrategy: .iso8601)
/// ```
///
/// `setHTTPBody` sets no header. `setJSONBody` and `setFormBody` set the Content-Type; see there. The `Authorization` of
/// one request is set by `setBasicAuthorization` and `setBearerAuthorization`.
public protocol HTTPBodyHolding: Sendable {
    /// The body.
    var httpBody: Data? { get set }

    /// The value of a header, whatever the case of its name.
    func value(forHTTPHeaderField name: String) -> String?

    /// Sets a header, and removes all others of that name, whatever their case; `nil` only removes.
    mutating func setValue(_ value: String?, forHTTPHeaderField name: String)
}

extension URLRequest: HTTPBodyHolding {}

extension HTTPBodyHolding {
    static var contentTypeHeader: String { "Content-Type" }

    mutating func ensureContentType(_ contentType: String) {
        guard value(forHTTPHeaderField: Self.contentTypeHeader) == nil else { return }
        setValue(contentType, forHTTPHeaderField: Self.contentTypeHeader)
    }

    /// The name of the request in errors, such as "POST https://example.com/posts"; `nil` for an unknown type.
    var nameForErrors: String? {
        switch self {
        case let request as URLRequest:
            ExchangeName(method: request.httpMethod, url: request.url).description
        case let request as BasicRequest:
            "\(request.method.rawValue) \(request.path.quotedPathForErrors)"
        default: nil
        }
    }
}
