/// The header fields of a response, in the order in which they came.
///
/// ```swift
/// let tag = response.headers["etag"]
/// for (name, value) in response.headers { print("\(name): \(value)") }
/// ```
///
/// Names are the same whatever their case (RFC 9110, section 5.1). A response that didn't come over HTTP has none. Printed as
/// a whole, the values of `Set-Cookie` and the like are redacted.
public struct ResponseHeaders: Sendable, Sequence, CustomStringConvertible {
    private let head: TransferHead

    init(_ head: TransferHead) {
        self.head = head
    }

    /// The value of a header; those of several of the name with commas between them (RFC 9110, section 5.3); `nil` if there is
    /// none.
    ///
    /// Cookies have commas of their own: see ``values(for:)``.
    public subscript(name: String) -> String? { head.value(for: name) }

    /// The values of the headers of a name, in order.
    ///
    /// A response of Foundation's, as one that a mock or `URLSession` has made, has joined those of a name to one.
    public func values(for name: String) -> [String] { head.values(for: name) }

    /// The names and values, one after the other.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> { head.fields.makeIterator() }

    /// The headers on one line, with secrets redacted.
    public var description: String {
        let fields = map { name, value in
            "\(name): \(HeaderRedaction.secrets.value(value, ofHeader: name))".escapingControlCharacters
        }
        return "[\(fields.joined(separator: ", "))]"
    }
}

extension ResponseInterface {
    /// The header fields of the response.
    ///
    /// ```swift
    /// let tag = response.headers["ETag"]
    /// ```
    public var headers: ResponseHeaders { ResponseHeaders(head) }
}
