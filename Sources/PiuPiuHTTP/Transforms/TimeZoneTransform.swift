public import Foundation

/// Turns the identifier of a time zone, such as "America/Montreal", into the time zone and back.
///
/// ```swift
/// timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
/// ```
public struct TimeZoneTransform: Transform, ParameterlessTransform {
    /// The error for an identifier that no time zone has.
    ///
    /// Errors of this type are equal whatever their payloads, as in PiuPiu 1.x, where they had none.
    public enum TransformError: LocalizableError, Equatable {
        /// No time zone has the identifier that was received; the path leads to it.
        case invalidIdentifier(received: String, codingPath: [any CodingKey])

        /// The case as PiuPiu 1.x had it, to compare with.
        public static var invalidIdentifier: TransformError { .invalidIdentifier(received: "", codingPath: []) }

        /// Whether both are the same case: always.
        public static func == (one: TransformError, other: TransformError) -> Bool { true }

        /// The keys that lead to the identifier.
        public var codingPath: [any CodingKey] {
            switch self {
            case .invalidIdentifier(_, let codingPath): codingPath
            }
        }

        /// The key of the case, "TimeZoneTransform.TransformError.invalidIdentifier": see ``LocalizableError``.
        public var errorKey: String {
            switch self {
            case .invalidIdentifier: "TimeZoneTransform.TransformError.invalidIdentifier"
            }
        }

        /// The identifier, where it is, and what to do about it.
        public var errorDescription: String? { localizedText(text) }

        private var text: ErrorText {
            switch self {
            case .invalidIdentifier(let received, let codingPath):
                """
                \(received.quotedForErrors, as: "identifier") at \(codingPath.placeForErrors, as: "place") is not the \
                identifier of a time zone. Use one of the IANA database, such as Europe/Paris.
                """
            }
        }
    }

    /// Makes the transform.
    public init() {}

    /// The time zone with the identifier: a name of the IANA database, an abbreviation that Foundation knows, or an
    /// offset from UTC, such as "GMT+0130", "GMT-5" or "UTC+05:30".
    ///
    /// - Throws: ``TransformError/invalidIdentifier(received:codingPath:)`` when there is none.
    public func from(json: String, codingPath: [any CodingKey]) throws -> TimeZone {
        guard !isMalformedOffset(json), let timeZone = TimeZone(identifier: json) else {
            throw TransformError.invalidIdentifier(received: json, codingPath: codingPath)
        }
        return timeZone
    }

    /// Whether it begins like an offset, but isn't a valid one.
    ///
    /// Foundation on Linux doesn't check the digits: "GMT+12:-1" traps, and "GMT+05:99" is a time zone.
    private func isMalformedOffset(_ identifier: String) -> Bool {
        let isOffset = ["GMT+", "GMT-", "UTC+", "UTC-"].contains { identifier.utf8.starts(with: $0.utf8) }
        return isOffset && identifier.wholeMatch(of: /...[+-][0-9]{1,2}(:?[0-5][0-9])?/) == nil
    }

    /// The identifier of the time zone.
    public func toJSON(_ value: TimeZone, codingPath: [any CodingKey]) throws -> String {
        value.identifier
    }
}
