/// Ordered values by key: the parameters of an item, or a dictionary (RFC 9651, sections 3.1.2 and 3.2).
///
/// Two are equal only if their orders are, too.
public struct StructuredPairs<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The keys, in order. A valid key has lower-case letters, digits, `_`, `-`, `.` and `*`, and begins with a letter
    /// or `*`.
    public private(set) var keys: [String] = []

    private var values: [String: Value] = [:]

    /// Makes an empty value.
    public init() {}

    /// The value of a key; `nil` if there is none. A new key comes last; an existing one keeps its place.
    public subscript(key: String) -> Value? {
        get { values[key] }
        set {
            let old = values[key]
            values[key] = newValue
            if newValue == nil, old != nil { keys.removeAll { $0 == key } }
            if newValue != nil, old == nil { keys.append(key) }
        }
    }

    /// Whether there are no pairs.
    public var isEmpty: Bool { keys.isEmpty }
}

/// The parameters of an item or an inner list: `;a=1;b`.
public typealias StructuredParameters = StructuredPairs<StructuredValue>

/// A structured field that is a dictionary: `a=1, b;c=2, d=(e f)`.
///
/// ```swift
/// let priority = try StructuredDictionary(parsing: ["u=3, i"])
/// priority["i"] // .item(StructuredItem(.boolean(true)))
/// ```
public typealias StructuredDictionary = StructuredPairs<StructuredMember>

extension StructuredPairs: ExpressibleByDictionaryLiteral {
    /// The pairs in this order; of equal keys the last counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        for (key, value) in elements { self[key] = value }
    }
}

extension StructuredPairs where Value == StructuredMember {
    /// Parses a field that is a dictionary (RFC 9651, section 4.2.2), in linear time. Of equal keys the last counts.
    ///
    /// - Parameter fieldLines: the values of all lines of the field, which are one dictionary. None, or an empty one,
    ///   is an empty dictionary.
    /// - Throws: ``StructuredFieldError/malformed(_:offset:)``; then the whole field must be ignored.
    public init(parsing fieldLines: [String]) throws(StructuredFieldError) {
        self = try StructuredParser.whole(of: fieldLines) { parser throws(StructuredFieldError) in
            try parser.dictionary()
        }
    }

    /// The value of the field (RFC 9651, section 4.1.2).
    ///
    /// For an empty dictionary it is empty: omit the field then.
    ///
    /// - Throws: ``StructuredFieldError/unwritable(_:)``.
    public func serialized() throws(StructuredFieldError) -> String {
        var serializer = StructuredSerializer()
        try serializer.append(self)
        return serializer.text
    }
}
