import Foundation

/// A type whose value is one text in a form, whatever it would encode itself.
protocol FormPrimitive {
    /// - Parameter path: where the value is, for an error.
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String
}

extension FormPrimitive where Self: FixedWidthInteger {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String { String(self) }
}

extension Int: FormPrimitive {}
extension Int8: FormPrimitive {}
extension Int16: FormPrimitive {}
extension Int32: FormPrimitive {}
extension Int64: FormPrimitive {}
extension Int128: FormPrimitive {}
extension UInt: FormPrimitive {}
extension UInt8: FormPrimitive {}
extension UInt16: FormPrimitive {}
extension UInt32: FormPrimitive {}
extension UInt64: FormPrimitive {}
extension UInt128: FormPrimitive {}

extension FormPrimitive where Self: BinaryFloatingPoint & CustomStringConvertible & Encodable {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String {
        guard isFinite else { throw EncodingError.notFinite(self, path) }
        return description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
}

extension Double: FormPrimitive {}
extension Float: FormPrimitive {}

extension Decimal: FormPrimitive {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String {
        guard isFinite else { throw EncodingError.notFinite(self, path) }
        return description
    }
}

extension Bool: FormPrimitive {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String {
        switch form.booleans {
        case .words: self ? "true" : "false"
        case .digits: self ? "1" : "0"
        }
    }
}

extension String: FormPrimitive {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String { self }
}

extension Data: FormPrimitive {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String { base64EncodedString() }
}

extension URL: FormPrimitive {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String { absoluteString }
}

extension Date: FormPrimitive {
    func text(by form: URLEncodedFormEncoder, at path: [any CodingKey]) throws -> String {
        switch form.dates {
        case .iso8601:
            guard self >= .distantPast, timeIntervalSince1970 < Self.yearTenThousand else {
                throw EncodingError.unwritable(self, "ISO 8601 can't express this date: the years are 1 to 9999", path)
            }
            return formatted(.iso8601)
        case .secondsSince1970: return try timeIntervalSince1970.text(by: form, at: path)
        // The sum makes 0 of a negative zero.
        case .millisecondsSince1970: return try ((timeIntervalSince1970 * 1_000).rounded() + 0).text(by: form, at: path)
        case .custom(let makeText): return try makeText(self)
        }
    }

    private static let yearTenThousand: TimeInterval = 253_402_300_800
}

extension EncodingError {
    /// The error for a value that a form can't have.
    static func unwritable(_ value: any Encodable, _ reason: String, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, Context(codingPath: path, debugDescription: reason))
    }

    fileprivate static func notFinite(_ number: any Encodable, _ path: [any CodingKey]) -> EncodingError {
        unwritable(number, "A form can't have a number that isn't finite", path)
    }
}
