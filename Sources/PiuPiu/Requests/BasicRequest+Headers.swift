extension BasicRequest {
    /// The value of a header, whatever the case of its name; `nil` if there is none.
    ///
    /// Of headers whose names differ in nothing but case, the one that is sent.
    public func value(forHTTPHeaderField name: String) -> String? {
        headers.filter { $0.key.isSameHeader(as: name) }.max { $0.key < $1.key }?.value
    }

    /// Sets a header in place of every one of that name, whatever its case.
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
    /// Whether two names of headers are the same (RFC 9110, section 5.1).
    fileprivate func isSameHeader(as other: String) -> Bool { lowercased() == other.lowercased() }
}
