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
        try changingQuery { pieces in pieces = items.percentEncodedQuery.map { [$0[...]] } ?? [] }
    }

    /// The URL with the fields of a value as its query items, instead of its own.
    ///
    /// ```swift
    /// let url = try searchURL.replacingQuery(encodable: search)  // https://example.com/search?text=swift&page=2
    /// ```
    ///
    /// The items are encoded as ``BasicRequest/url(withBaseURL:)`` does.
    ///
    /// - Parameters:
    ///   - encodable: the value: a struct, a class or a dictionary. Without any field there is no query, and no `?`.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` as ``URLEncodedFormEncoder/encode(_:)`` does, and
    ///   ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL.
    public func replacingQuery<Value: Encodable>(
        encodable: Value, encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) throws -> URL {
        try replacingQuery(with: encoder.encode(encodable, for: textForErrors).queryItems)
    }

    /// The URL with another query item after its own.
    ///
    /// ```swift
    /// let url = URL(string: "https://example.com/?sum=1%2B1")
    /// try url?.addingQueryValue("a+b", forName: "q")  // https://example.com/?sum=1%2B1&q=a%2Bb
    /// ```
    ///
    /// The query so far stays as it is, byte for byte. The new item is encoded as ``BasicRequest/url(withBaseURL:)``
    /// does; one without name and value is left out.
    ///
    /// - Parameters:
    ///   - value: the value, as plain text; `nil` for a name alone.
    ///   - name: the name, as plain text.
    /// - Throws: ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL.
    public func addingQueryValue(_ value: String?, forName name: String) throws(InvalidRequestError) -> URL {
        try changingQuery { pieces in
            let item = URLQueryItem(name: name, value: value)
            if let piece = [item].percentEncodedQuery { pieces.append(piece[...]) }
        }
    }

    /// The URL with the fields of a value as query items after its own.
    ///
    /// ```swift
    /// let url = URL(string: "https://example.com/?v=%2B1")
    /// try url?.addingQuery(encodable: ["q": "a+b"])  // https://example.com/?v=%2B1&q=a%2Bb
    /// ```
    ///
    /// The query so far stays as it is, byte for byte, also items of the same names. The new items are encoded as
    /// ``BasicRequest/url(withBaseURL:)`` does.
    ///
    /// - Parameters:
    ///   - encodable: the value: a struct, a class or a dictionary. Without any field nothing is added.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` as ``URLEncodedFormEncoder/encode(_:)`` does, and
    ///   ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL.
    public func addingQuery<Value: Encodable>(
        encodable: Value, encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) throws -> URL {
        let items = try encoder.encode(encodable, for: textForErrors).queryItems
        return try changingQuery { pieces in
            if let query = items.percentEncodedQuery { pieces.append(query[...]) }
        }
    }

    /// The URL with one query item of this name, in the place of the first.
    ///
    /// ```swift
    /// let url = URL(string: "https://example.com/?page=1&q=a%2Bb")
    /// try url?.settingQueryValue("2", forName: "page")  // https://example.com/?page=2&q=a%2Bb
    /// ```
    ///
    /// Without an item of this name the new one comes after the others. All others stay as they are, byte for byte.
    /// Names are read as ``queryValues(forName:)`` does, and the new item is encoded as
    /// ``BasicRequest/url(withBaseURL:)`` does.
    ///
    /// - Parameters:
    ///   - value: the value, as plain text, or `nil` to remove the items of this name. Without any item left there is
    ///     no query, and no `?`.
    ///   - name: the name, as plain text.
    /// - Throws: ``InvalidRequestError/invalidURL(baseURL:path:)`` if they make no URL.
    public func settingQueryValue(_ value: String?, forName name: String) throws(InvalidRequestError) -> URL {
        try changingQuery { pieces in
            let place = pieces.firstIndex { $0.isQueryItem(named: name) } ?? pieces.endIndex
            pieces.removeAll { $0.isQueryItem(named: name) }
            guard let value else { return }
            let item = URLQueryItem(name: name, value: value)
            if let piece = [item].percentEncodedQuery { pieces.insert(piece[...], at: place) }
        }
    }

    /// The URL with other items in its query, as they are encoded there.
    ///
    /// The `queryItems` of `URLComponents` would change the others: they decode a `%2B`, and don't encode the plus again.
    private func changingQuery(_ change: (inout [Substring]) -> Void) throws(InvalidRequestError) -> URL {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        let query = components?.percentEncodedQuery ?? ""
        var pieces = query.isEmpty ? [] : query.split(separator: "&", omittingEmptySubsequences: false)
        change(&pieces)
        components?.percentEncodedQuery = pieces.allSatisfy(\.isEmpty) ? nil : pieces.joined(separator: "&")
        guard let url = components?.url else {
            throw .invalidURL(baseURL: self, path: path(percentEncoded: true))
        }
        return url
    }
}

extension Substring {
    /// Whether this piece of a query is an item of this name.
    fileprivate func isQueryItem(named name: String) -> Bool {
        URLEncodedForm(parsing: String(self)).fields.first?.name == name
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
