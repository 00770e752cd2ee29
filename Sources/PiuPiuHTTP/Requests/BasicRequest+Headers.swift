extension BasicRequest {
    /// The value of a header, whatever the case of its name; `nil` if there is none.
    ///
    /// If several names differ only in case, this is the header that is sent.
    public func value(forHTTPHeaderField name: String) -> String? {
        headers.filter { $0.key.isSameHeader(as: name) }.max { $0.key < $1.key }?.value
    }

    /// Sets a header, and removes all others of that name, whatever their case.
    ///
    /// - Parameters:
    ///   - value: the value, or `nil` to remove the header.
    ///   - name: the name of the header, in any case.
    public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {
        headers = headers.filter { !$0.key.isSameHeader(as: name) }
        headers[name] = value
    }
}

extension String {
    /// Whether two header names are the same (RFC 9110, section 5.1).
    fileprivate func isSameHeader(as other: String) -> Bool { lowercased() == other.lowercased() }
}
