import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension StatusCode {
    /// The class of the code, given by its first digit (RFC 9110, section 15).
    public var type: StatusCodeType {
        switch rawValue {
        case 100...199: .informational
        case 200...299: .success
        case 300...399: .redirect
        case 400...499: .clientError
        case 500...599: .serverError
        default: .invalid
        }
    }

    /// The text for the code: the app's own under the key `StatusCode.404` (see ``ErrorLocalization``), or
    /// Foundation's.
    ///
    /// Foundation's text, `HTTPURLResponse.localizedString(forStatusCode:)`, is in the user's language if the platform
    /// translates it. It differs between platforms: 404 is "Not Found" on Linux and "not found" on Apple platforms. A
    /// number unknown to Foundation gets the text of its class, or "Server Error" if it has none.
    public var localizedDescription: String {
        ErrorLocalization.current.text("StatusCode.\(rawValue)", standardText)
    }

    /// Foundation's text, or the registry's for codes that Foundation doesn't know.
    private var standardText: String {
        switch self {
        case .earlyHints: "Early Hints"
        case .tooEarly: "Too Early"
        default: HTTPURLResponse.localizedString(forStatusCode: rawValue)
        }
    }

    /// The error that the code stands for, or `nil` for a code from 100 to 399.
    ///
    /// A code from 400 to 499 is ``HTTPError/clientError(_:)``, a code from 500 to 599 ``HTTPError/serverError(_:)``,
    /// and a code that HTTP doesn't allow ``HTTPError/invalidStatusCode(_:)``.
    public var httpError: HTTPError? {
        switch type {
        case .informational, .success, .redirect: nil
        case .clientError: .clientError(self)
        case .serverError: .serverError(self)
        case .invalid: .invalidStatusCode(self)
        }
    }
}
