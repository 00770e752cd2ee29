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
        let text = components.string.map { URLText.redacted($0, by: .secrets) }
        return (text ?? "\(scheme ?? "")://\(host() ?? "")…").cutForErrors + ending
    }
}

extension URL? {
    /// The URL for the text of an error, or a name for an unknown one.
    package var textForErrors: String {
        self?.textForErrors ?? ErrorText("an unknown address").localized("UnknownAddress")
    }
}
