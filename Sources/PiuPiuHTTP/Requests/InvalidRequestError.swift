public import Foundation

/// A request that can't be sent as it is; thrown before anything is sent.
///
/// The description names the fault. It leaves out the user name, the password and the query of the URL, and the values
/// of headers, so that it may go to a log.
public enum InvalidRequestError: LocalizableError, Equatable {
    /// The request has no URL.
    case missingURL
    /// The URL has no scheme, such as a relative one.
    case missingScheme(url: URL)
    /// The URL has a scheme that nothing supports: other than http, https, file and data, and no `URLProtocol` of a
    /// ``URLSessionEngine`` takes the request.
    case unsupportedScheme(String, url: URL)
    /// The URL has no host.
    case missingHost(url: URL)
    /// The method isn't a token (RFC 9110, sections 5.6.2 and 9.1).
    case invalidMethod(String, url: URL)
    /// The name of a header isn't a token (RFC 9110, sections 5.1 and 5.6.2).
    case invalidHeaderName(String, url: URL)
    /// The value of this header has a control character other than the tabulator (RFC 9110, section 5.5).
    case invalidHeaderValue(name: String, url: URL)
    /// The user name of HTTP Basic has a colon, which separates it from the password (RFC 7617, section 2).
    case colonInUserName(url: URL?)
    /// The user name or the password of HTTP Basic (RFC 7617, section 2), or a bearer token, has a control character.
    case controlCharacterInCredential(url: URL?)

    /// The request is a GET with a body, which `URLSession` doesn't send.
    case bodyInGet(url: URL)
    /// This base URL and path, or the base URL with another query, make no URL.
    case invalidURL(baseURL: URL, path: String)
    /// The `..` of this path lead out of a base URL whose path is kept.
    case pathLeavesBase(baseURL: URL, path: String)

    /// A segment of a path is empty, "." or "..", which URL parsers and servers resolve; of this URL, if known.
    case invalidPathSegment(String, url: URL?)

    /// The URL of the request, or its base URL; `nil` if it has none.
    public var url: URL? {
        switch self {
        case .missingURL: nil
        case .missingScheme(let url), .unsupportedScheme(_, let url), .missingHost(let url), .invalidMethod(_, let url),
            .invalidHeaderName(_, let url), .invalidHeaderValue(_, let url), .bodyInGet(let url),
            .invalidURL(let url, _), .pathLeavesBase(let url, _):
            url
        case .colonInUserName(let url), .controlCharacterInCredential(let url), .invalidPathSegment(_, let url): url
        }
    }

    /// The key of the case, as "InvalidRequestError.missingHost": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .missingURL: "InvalidRequestError.missingURL"
        case .missingScheme: "InvalidRequestError.missingScheme"
        case .unsupportedScheme: "InvalidRequestError.unsupportedScheme"
        case .missingHost: "InvalidRequestError.missingHost"
        case .invalidMethod: "InvalidRequestError.invalidMethod"
        case .invalidHeaderName: "InvalidRequestError.invalidHeaderName"
        case .invalidHeaderValue: "InvalidRequestError.invalidHeaderValue"
        case .colonInUserName: "InvalidRequestError.colonInUserName"
        case .controlCharacterInCredential: "InvalidRequestError.controlCharacterInCredential"
        case .bodyInGet: "InvalidRequestError.bodyInGet"
        case .invalidURL: "InvalidRequestError.invalidURL"
        case .pathLeavesBase: "InvalidRequestError.pathLeavesBase"
        case .invalidPathSegment: "InvalidRequestError.invalidPathSegment"
        }
    }

    /// The fault, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .missingURL:
            "The request has no URL. Give it an http or https URL."
        case .missingScheme(let url):
            "The URL \(url.textForErrors, as: "url") has no scheme. Begin it with https:// or http://."
        case .unsupportedScheme(let scheme, let url):
            """
            The URL \(url.textForErrors, as: "url") has the scheme \(url.schemeForErrors(scheme), as: "scheme"). Use \
            https or http.
            """
        case .missingHost(let url):
            """
            The URL \(url.textForErrors, as: "url") has no host. Write one after the scheme, as in \
            https://example.com/.
            """
        case .invalidMethod(let method, let url):
            """
            The method \(method.quotedForErrors, as: "method") of the request to \(url.textForErrors, as: "url") is \
            not an HTTP token. Use letters, such as GET.
            """
        case .invalidHeaderName(let name, let url):
            """
            The header name \(name.quotedForErrors, as: "header") of the request to \(url.textForErrors, as: "url") \
            is not an HTTP token. Use letters, digits and hyphens.
            """
        case .invalidHeaderValue(let name, let url):
            """
            The value of the header \(name.quotedForErrors, as: "header") of the request to \
            \(url.textForErrors, as: "url") has a control character. Remove line breaks, NUL and the like, or encode \
            the value.
            """
        case .colonInUserName(let url):
            """
            The user name for \(Self.name(of: url), as: "request") has a colon, which HTTP Basic can't send. Use a \
            name without one.
            """
        case .controlCharacterInCredential(let url):
            """
            The user name, the password or the token for \(Self.name(of: url), as: "request") has a control \
            character. Remove line breaks, NUL and the like.
            """
        case .bodyInGet(let url):
            """
            The GET request to \(url.textForErrors, as: "url") has a body. Give it a method that sends one, such as \
            POST or PUT.
            """
        case .invalidURL(let baseURL, let path):
            """
            No URL can be made of the base URL \(baseURL.textForErrors, as: "baseURL") and the path \
            \(path.quotedPathForErrors, as: "path"). Give the base URL a scheme and a host, as in \
            https://example.com/, and begin the path with one slash.
            """
        case .pathLeavesBase(let baseURL, let path):
            """
            The path \(path.quotedPathForErrors, as: "path") leads out of the base URL \
            \(baseURL.textForErrors, as: "baseURL"). Write it without segments of two dots, or let it replace the \
            path of the base URL.
            """
        case .invalidPathSegment(let segment, let url):
            """
            The text \(segment.quotedForErrors, as: "segment") can't be a segment of the path of \
            \(Self.name(of: url), as: "request"), as servers would leave it out or read another path. Use a text that \
            isn't empty, one dot or two dots.
            """
        }
    }

    private static func name(of url: URL?) -> String {
        url.map(\.textForErrors) ?? ErrorText("the request").localized("UnknownRequest")
    }
}

extension InvalidRequestError: RequestNamingError {}
