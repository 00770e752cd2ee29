/// The header fields of a response, in the order of their arrival.
///
/// ```swift
/// let tag = response.headers["etag"]
/// for (name, value) in response.headers { print("\(name): \(value)") }
/// ```
///
/// Names are compared without regard to case (RFC 9110, section 5.1). A response that didn't come over HTTP has none.
/// The description redacts the values of `Set-Cookie` and the like.
public struct ResponseHeaders: Sendable, Sequence, CustomStringConvertible {
    private let head: TransferHead?

    /// - Parameter head: `nil` for no headers.
    init(_ head: TransferHead?) {
        self.head = head
    }

    /// The value of a header; `nil` if there is none.
    ///
    /// Several values of the name are joined with commas (RFC 9110, section 5.3). Cookies contain commas themselves:
    /// see ``values(for:)``.
    public subscript(name: String) -> String? { head?.value(for: name) }

    /// The values of the headers of a name, in order.
    ///
    /// A response of Foundation, such as that of a mock or `URLSession`, has joined all values of a name to one.
    public func values(for name: String) -> [String] { head?.values(for: name) ?? [] }

    /// The names and values, one after the other.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        (head?.fields ?? []).makeIterator()
    }

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
