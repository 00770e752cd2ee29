import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension StatusCode {
    /// The class of the code, which its first digit tells (RFC 9110, section 15).
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

    /// The text that Foundation has for the code, in the user's language where the platform translates it.
    ///
    /// It is `HTTPURLResponse.localizedString(forStatusCode:)`, and so differs between platforms: 404 is "Not Found" on
    /// Linux and "not found" on Apple's. A number unknown to Foundation gets the text of a class, "Server Error" when
    /// it has none.
    public var localizedDescription: String {
        HTTPURLResponse.localizedString(forStatusCode: rawValue)
    }

    /// The error that the code stands for, or `nil` for one from 100 to 399.
    ///
    /// A code from 400 to 499 is ``HTTPError/clientError(_:)``, one from 500 to 599 ``HTTPError/serverError(_:)``, and
    /// one that HTTP doesn't allow ``HTTPError/invalidStatusCode(_:)``.
    public var httpError: HTTPError? {
        switch type {
        case .informational, .success, .redirect: nil
        case .clientError: .clientError(self)
        case .serverError: .serverError(self)
        case .invalid: .invalidStatusCode(self)
        }
    }
}
