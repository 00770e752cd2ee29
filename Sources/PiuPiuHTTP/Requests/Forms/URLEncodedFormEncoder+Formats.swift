public import Foundation

extension URLEncodedFormEncoder {
    /// How the elements of an array are written.
    ///
    /// For arrays of values with members, and for arrays of arrays, use ``indices``. With ``repeated`` and ``brackets``
    /// a server can't tell where such an element ends: two authors are `authors[name]=a&authors[name]=b`.
    public enum ArrayEncoding: Sendable, Hashable {
        /// Each with the name of the array: `tag=a&tag=b`. For arrays of single values.
        case repeated
        /// With empty brackets: `tag[]=a&tag[]=b`. For arrays of single values.
        case brackets
        /// With numbers from 0, without gaps: `tag[0]=a&tag[1]=b`.
        case indices
        /// As one value: `tag=a,b`. A separator within an element can't be told from others.
        case joined(separator: String)
    }

    /// How the name of a value within a value is written.
    public enum NestingEncoding: Sendable, Hashable {
        /// In brackets: `author[name]=a`.
        case brackets
        /// After a dot: `author.name=a`.
        case dots
    }

    /// How booleans are written.
    public enum BooleanEncoding: Sendable, Hashable {
        /// As `true` and `false`.
        case words
        /// As `1` and `0`.
        case digits
    }

    /// How keys become names. The names of a dictionary stay as they are, as with a `JSONEncoder`.
    public enum KeyEncoding: Sendable {
        /// The keys are the names.
        case unchanged
        /// `lastName` becomes `last_name`, as with `JSONEncoder.KeyEncodingStrategy.convertToSnakeCase`.
        case snakeCase
        /// What the closure makes of the path to a value, whose last key is to be named. It is called for each value, on
        /// the thread that encodes.
        case custom(@Sendable ([any CodingKey]) -> String)
    }

    /// How dates are written.
    public enum DateEncoding: Sendable {
        /// By ISO 8601 in whole seconds: `2001-09-09T01:46:40Z`. Only the years from 1 to 9999 can be written so.
        case iso8601
        /// The seconds since 1970, with their fraction if there is one: `1000000000.5`.
        case secondsSince1970
        /// The milliseconds since 1970, rounded to a whole number: `1000000000500`.
        case millisecondsSince1970
        /// What the closure makes of a date. It is called for each one, on the thread that encodes.
        case custom(@Sendable (Date) throws -> String)
    }
}

extension URLEncodedFormEncoder.NestingEncoding {
    /// The name of a value within a value.
    func name(_ name: String, in outer: String) -> String {
        switch self {
        case .brackets: "\(outer)[\(name)]"
        case .dots: "\(outer).\(name)"
        }
    }
}

extension URLEncodedFormEncoder.KeyEncoding {
    /// The name for a key.
    func name(of key: any CodingKey, at path: [any CodingKey]) -> String {
        switch self {
        case .unchanged: key.stringValue
        case .snakeCase: key.stringValue.snakeCased
        case .custom(let makeName): makeName(path + [key])
        }
    }
}
