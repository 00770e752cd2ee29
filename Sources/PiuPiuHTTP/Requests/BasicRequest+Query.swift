import Foundation

extension BasicRequest {
    /// The values of the query items of this name, in order, without items that have no value.
    public func queryValues(forName name: String) -> [String] {
        queryItems.filter { $0.name == name }.compactMap(\.value)
    }

    /// The first value of the query items of this name; `nil` if there is none.
    ///
    /// ```swift
    /// let page = request.queryValue(forName: "page") ?? "1"
    /// ```
    public func queryValue(forName name: String) -> String? { queryValues(forName: name).first }

    /// Adds a query item after the others.
    ///
    /// ```swift
    /// request.addQueryValue("swift", forName: "tag")
    /// request.addQueryValue("linux", forName: "tag")  // ?tag=swift&tag=linux
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value, as plain text; `nil` for a name alone.
    ///   - name: the name, as plain text.
    public mutating func addQueryValue(_ value: String?, forName name: String) {
        queryItems.append(URLQueryItem(name: name, value: value))
    }

    /// Sets a query item, and removes all others of that name.
    ///
    /// - Parameters:
    ///   - value: the value, as plain text, or `nil` to remove the item.
    ///   - name: the name, as plain text.
    public mutating func setQueryValue(_ value: String?, forName name: String) {
        let place = queryItems.firstIndex { $0.name == name } ?? queryItems.endIndex
        queryItems.removeAll { $0.name == name }
        if let value { queryItems.insert(URLQueryItem(name: name, value: value), at: place) }
    }

    /// Adds the fields of a value after the other query items.
    ///
    /// ```swift
    /// try request.addQuery(encodable: page)  // ?text=swift&page=2&size=20
    /// ```
    ///
    /// - Parameters:
    ///   - encodable: the value: a struct, a class or a dictionary.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` as ``URLEncodedFormEncoder/encode(_:)`` does; the request stays as it was.
    public mutating func addQuery<Value: Encodable>(
        encodable: Value, encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) throws(RequestBodyError) {
        queryItems += try encoder.encode(encodable, for: nameForErrors).queryItems
    }

    /// Sets the query items to the fields of a value, and removes all others.
    ///
    /// ```swift
    /// try request.setQuery(encodable: search)  // ?text=swift&page=2
    /// ```
    ///
    /// - Parameters:
    ///   - encodable: the value: a struct, a class or a dictionary.
    ///   - encoder: encodes it.
    /// - Throws: ``RequestBodyError`` as ``URLEncodedFormEncoder/encode(_:)`` does; the request stays as it was.
    public mutating func setQuery<Value: Encodable>(
        encodable: Value, encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()
    ) throws(RequestBodyError) {
        queryItems = try encoder.encode(encodable, for: nameForErrors).queryItems
    }
}

extension URLEncodedForm {
    /// The fields as the items of a query.
    var queryItems: [URLQueryItem] { fields.map { URLQueryItem(name: $0.name, value: $0.value) } }
}
