/// Encodes values as the fields of a form or as the items of a query.
///
/// ```swift
/// struct Search: Encodable {
///     var text: String
///     var tags: [String]
///     var author: Author?
/// }
///
/// let encoder = URLEncodedFormEncoder(arrays: .brackets, keys: .snakeCase)
/// try request.setQuery(encodable: search, encoder: encoder)  // text=a&tags[]=b&tags[]=c&author[last_name]=d
/// ```
///
/// - Fields stand in the order in which the type encodes them; those of a dictionary are sorted by name, and the single
///   values of a `Set` by their text, so that a query is always the same. If a type encodes several values for one
///   name, the last one counts.
/// - `nil`, an empty array and a dictionary without entries have no field, within an array, too.
/// - Numbers are written as in JSON, `Data` is Base64, and a `URL` is its absolute text.
public struct URLEncodedFormEncoder: Sendable {
    /// How the elements of an array are written.
    public var arrays: ArrayEncoding
    /// How the names of values within values are written.
    public var nesting: NestingEncoding
    /// How booleans are written.
    public var booleans: BooleanEncoding
    /// How keys become names.
    public var keys: KeyEncoding
    /// How dates are written.
    public var dates: DateEncoding

    /// Makes an encoder.
    ///
    /// - Parameters:
    ///   - arrays: how the elements of an array are written; by default each with the name of the array.
    ///   - nesting: how the names of values within values are written; by default in brackets.
    ///   - booleans: how booleans are written; by default as `true` and `false`.
    ///   - keys: how keys become names; by default they are the names.
    ///   - dates: how dates are written; by default by ISO 8601.
    public init(
        arrays: ArrayEncoding = .repeated, nesting: NestingEncoding = .brackets, booleans: BooleanEncoding = .words,
        keys: KeyEncoding = .unchanged, dates: DateEncoding = .iso8601
    ) {
        self.arrays = arrays
        self.nesting = nesting
        self.booleans = booleans
        self.keys = keys
        self.dates = dates
    }

    /// The fields of a value.
    ///
    /// - Parameter value: a struct, a class or a dictionary. `nil` has no fields.
    /// - Throws: ``RequestBodyError`` of the kind ``RequestBodyError/Kind/unencodableValue(typeName:)``, with its
    ///   ``RequestBodyError/codingPath`` and an `EncodingError`:
    ///   - for a single value or an array at the top, as these have no names;
    ///   - for a dictionary with entries whose keys are neither `String` nor `Int` nor `CodingKeyRepresentable`, such
    ///     as an enum that is only `RawRepresentable`: it encodes itself as an array;
    ///   - for a number that isn't finite, and a date that the format can't express;
    ///   - for more than 128 values within each other, and for a type that asks an encoder for several kinds of
    ///     containers;
    ///   - with ``ArrayEncoding/joined(separator:)`` for an array of anything but single values.
    ///
    ///   And with any other error that the type, or a closure of ``DateEncoding/custom(_:)``, throws.
    public func encode<Value: Encodable>(_ value: Value) throws(RequestBodyError) -> URLEncodedForm {
        try encode(value, for: nil)
    }

    /// The fields of a value for a request, which an error names.
    func encode<Value: Encodable>(_ value: Value, for request: String?) throws(RequestBodyError) -> URLEncodedForm {
        do {
            let node = try FormEncoder(self).node(of: value)
            var fields = FormFields(self, of: value)
            try fields.addAll(of: node)
            return URLEncodedForm(fields.fields)
        } catch {
            throw RequestBodyError(
                .unencodableValue(typeName: readableName(of: Value.self)), request: request, underlyingError: error)
        }
    }
}
