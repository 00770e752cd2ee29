/// Values by key that keep their order: the parameters of an item, or a dictionary (RFC 9651, sections 3.1.2 and 3.2).
///
/// Two are equal if their order is as well.
public struct StructuredPairs<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The keys in their order. One that is written has lower-case letters, digits, `_`, `-`, `.` and `*`, and begins with
    /// a letter or `*`.
    public private(set) var keys: [String] = []

    private var values: [String: Value] = [:]

    /// Makes one without a pair.
    public init() {}

    /// The value of a key; `nil` if there is none. A new key comes last, one that is there keeps its place.
    public subscript(key: String) -> Value? {
        get { values[key] }
        set {
            let old = values[key]
            values[key] = newValue
            if newValue == nil, old != nil { keys.removeAll { $0 == key } }
            if newValue != nil, old == nil { keys.append(key) }
        }
    }

    /// Whether there is no pair.
    public var isEmpty: Bool { keys.isEmpty }
}

/// What is said about an item or an inner list: `;a=1;b`.
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
    /// Parses a field that is a dictionary (RFC 9651, section 4.2.2), in time that is linear in it. Of equal keys the last counts.
    ///
    /// - Parameter fieldLines: the values of all lines of the field, which are one dictionary. None, or an empty one, is an empty
    ///   dictionary.
    /// - Throws: ``StructuredFieldError/malformed(_:offset:)``; the whole field counts for nothing then.
    public init(parsing fieldLines: [String]) throws(StructuredFieldError) {
        self = try StructuredParser.whole(of: fieldLines) { parser throws(StructuredFieldError) in
            try parser.dictionary()
        }
    }

    /// The value of the field (RFC 9651, section 4.1.2). A field whose dictionary is empty is left out of a message; the value is
    /// empty.
    ///
    /// - Throws: ``StructuredFieldError/unwritable(_:)``.
    public func serialized() throws(StructuredFieldError) -> String {
        var serializer = StructuredSerializer()
        try serializer.append(self)
        return serializer.text
    }
}
