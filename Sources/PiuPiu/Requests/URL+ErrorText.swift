import Foundation

extension URL {
    /// The URL for the text of an error: without user name, password and fragment, with "?…" for a query, since those
    /// may hold secrets and such a text goes to logs; cut when it is long.
    var textForErrors: String {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return "\(scheme ?? "")://\(host() ?? "")…"
        }
        let ending = components.percentEncodedQuery?.isEmpty == false ? "?…" : ""
        components.user = nil
        components.password = nil
        components.query = nil
        components.fragment = nil
        return (components.string ?? "\(scheme ?? "")://\(host() ?? "")…").cutForErrors + ending
    }
}

extension URL? {
    /// The URL for the text of an error, or a name for one that isn't known.
    var textForErrors: String {
        self?.textForErrors ?? ErrorText("an unknown address").localized("UnknownAddress")
    }
}
