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
}
