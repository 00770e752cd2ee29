public import Foundation

extension URL {
    /// The values of the query items of this name, in order, decoded.
    ///
    /// ```swift
    /// URL(string: "https://example.com/?tag=a%20b&tag=c+d")?.queryValues(forName: "tag")  // ["a b", "c d"]
    /// ```
    ///
    /// The query is read as a ``URLEncodedForm``, as on servers: a plus is a space, and an item without `=` has an
    /// empty value.
    public func queryValues(forName name: String) -> [String] {
        URLEncodedForm(parsing: query(percentEncoded: true) ?? "").values(forName: name)
    }

    /// The first value of the query items of this name, decoded; `nil` if there is none.
    public func queryValue(forName name: String) -> String? { queryValues(forName: name).first }

    /// The URL with these query items instead of its own, encoded as ``BasicRequest/url(withBaseURL:)`` does.
    ///
    /// - Parameter items: the items, as plain text. Without any there is no query, and no `?`.
    /// - Throws: ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL.
    public func replacingQuery(with items: [URLQueryItem]) throws(InvalidRequestError) -> URL {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.percentEncodedQuery = items.percentEncodedQuery
        guard let url = components?.url else {
            throw .invalidURL(baseURL: self, path: path(percentEncoded: true))
        }
        return url
    }
}

extension [URLQueryItem] {
    /// The query with these items; `nil` if there are none, or only empty ones.
    var percentEncodedQuery: String? {
        let items = filter { !$0.name.isEmpty || $0.value != nil }
        guard !items.isEmpty else { return nil }
        return items.map { item in
            [item.name, item.value].compactMap { $0?.percentEncodedForQuery }.joined(separator: "=")
        }.joined(separator: "&")
    }
}

extension String {
    /// Also encodes characters that a query may contain, but that some servers read as a separator or a space.
    fileprivate var percentEncodedForQuery: String {
        PercentEncoding.encoded(utf8) { PercentEncoding.isUnreserved($0) || "!$()*,/:?@".utf8.contains($0) }
    }
}
