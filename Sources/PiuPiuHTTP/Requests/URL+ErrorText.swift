import Foundation

extension URL {
    /// The URL for the text of an error, cut if it is long. It has no user name, password and fragment, "?…" for a query,
    /// and no secret parameters in its path, as those may be secrets and the text goes to logs.
    package var textForErrors: String {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return "\(scheme ?? "")://\(host() ?? "")…"
        }
        let ending = components.percentEncodedQuery?.isEmpty == false ? "?…" : ""
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        let text = components.string.map { URLText.redacted(url: $0, by: .secrets) }
        return (text ?? "\(scheme ?? "")://\(host() ?? "")…").cutForErrors + ending
    }

    /// Its scheme for the text of an error, unless that is left out of the URL, being the user name of one without a
    /// scheme.
    func schemeForErrors(_ scheme: String) -> String {
        textForErrors.hasPrefix(HeaderRedaction.replacement) ? HeaderRedaction.replacement : scheme.quotedForErrors
    }
}

extension URL? {
    /// The URL for the text of an error, or a name for an unknown one.
    package var textForErrors: String {
        self?.textForErrors ?? ErrorText("an unknown address").localized("UnknownAddress")
    }
}
