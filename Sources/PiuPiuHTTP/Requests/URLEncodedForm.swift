public import Foundation

/// The fields of a form in the format `application/x-www-form-urlencoded`, by the rules of the WHATWG URL standard.
///
/// ```swift
/// var request = URLRequest(url: tokenURL, method: .post)
/// request.setFormBody(["grant_type": "password", "username": name, "password": password])
/// ```
///
/// Fields keep their order, and a name may occur several times. Encoding and decoding give the same fields.
public struct URLEncodedForm: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A field.
    public struct Field: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The Content-Type of such a body.
    public static let contentType = "application/x-www-form-urlencoded"

    /// The fields, in order.
    public var fields: [Field]

    /// Makes a form from fields.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    /// Makes a form from query items. An item without a value gets an empty one, as every field of a form has a value.
    public init(_ items: [URLQueryItem]) {
        self.init(items.map { Field(name: $0.name, value: $0.value ?? "") })
    }

    /// Makes a form from another one, such as a literal: its fields keep their order, and a name may occur several
    /// times.
    ///
    /// ```swift
    /// URLEncodedForm(["scope": "read", "scope": "write"]).text  // scope=read&scope=write
    /// ```
    public init(_ form: URLEncodedForm) {
        self = form
    }

    /// Makes a form from names and values, sorted by name. A ``URLEncodedFormEncoder`` encodes other types.
    @_disfavoredOverload  // A literal would be a dictionary, which traps on a name that occurs twice.
    public init(_ values: [String: String]) {
        self.init(values.sorted { $0.key < $1.key }.map { Field(name: $0.key, value: $0.value) })
    }

    /// Makes a form from names and values, in the order of the literal; names may occur several times.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }

    /// Reads an encoded form.
    ///
    /// Every text is accepted: a `%` without two digits stays, bytes that are no UTF-8 become U+FFFD, and a field
    /// without `=` has an empty value.
    public init(parsing text: String) {
        let pieces = text.utf8.split(separator: UInt8(ascii: "&"))
        self.init(
            pieces.map { piece in
                let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                return Field(name: Self.decoded(halves[0]), value: halves.count > 1 ? Self.decoded(halves[1]) : "")
            })
    }

    /// The encoded form.
    ///
    /// Letters, digits and `*-._` stay, a space becomes a plus, and every other byte of the UTF-8 text becomes `%` and
    /// two digits.
    public var text: String {
        fields.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// Adds a field after the others.
    public mutating func append(_ value: String, forName name: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The values of the fields of this name, in order.
    public func values(forName name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    private static let space = UInt8(ascii: " ")
    private static let plus = UInt8(ascii: "+")

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text.utf8) { byte in
            byte == space || PercentEncoding.isLetterOrDigit(byte) || "*-._".utf8.contains(byte)
        }.replacing(" ", with: "+")
    }

    private static func decoded(_ bytes: some Collection<UInt8>) -> String {
        let spaced = bytes.map { $0 == plus ? space : $0 }
        return String(decoding: PercentEncoding.decoded(spaced), as: UTF8.self)
    }
}
