import Foundation

/// A request that can't be built, as its server is unknown.
///
/// The errors of a request that can't be sent are ``InvalidRequestError``, those of a body that can't be made
/// ``RequestBodyError``. The cases and keys are those of PiuPiu 1.x.
public enum RequestError: LocalizableError, Equatable {
    /// There is no URL: the server provider has no base URL, or a `URLRequest` no URL.
    case missingURL
    /// There is no server provider for the base URL, or it was released.
    case missingServerProvider

    /// A key that names the case, for a table of translated texts or a log: "MissingURL", for example.
    public var errorKey: String {
        switch self {
        case .missingURL: "MissingURL"
        case .missingServerProvider: "MissingServerProvider"
        }
    }

    /// What is missing, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .missingURL:
            "The request has no URL. Give the request, or the server provider's baseURL, an http or https URL."
        case .missingServerProvider:
            "The request has no server provider. Keep a strong reference to the one that was given to the serializer."
        }
    }
}
