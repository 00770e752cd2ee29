public import Foundation

/// Turns the identifier of a time zone, such as "America/Montreal", into the time zone and back.
///
/// ```swift
/// timeZone = try container.decode(using: TimeZoneTransform(), forKey: .timeZoneId)
/// ```
public struct TimeZoneTransform: Transform, ParameterlessTransform {
    /// An identifier that no time zone has.
    ///
    /// Errors of this type are equal whatever they carry, as in PiuPiu 1.x, where they carried nothing.
    public enum TransformError: LocalizableError, Equatable {
        /// No time zone has the identifier that was received; the path leads to it.
        case invalidIdentifier(received: String, codingPath: [any CodingKey])

        /// The case as PiuPiu 1.x had it, to compare with.
        public static var invalidIdentifier: TransformError { .invalidIdentifier(received: "", codingPath: []) }

        /// Whether both say the same went wrong.
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

        /// Which identifier it is, where, and what to do about it.
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

    /// The time zone with the identifier.
    ///
    /// - Throws: ``TransformError/invalidIdentifier(received:codingPath:)`` when there is none.
    public func from(json: String, codingPath: [any CodingKey]) throws -> TimeZone {
        guard let timeZone = TimeZone(identifier: json) else {
            throw TransformError.invalidIdentifier(received: json, codingPath: codingPath)
        }
        return timeZone
    }

    /// The identifier of the time zone.
    public func toJSON(_ value: TimeZone, codingPath: [any CodingKey]) throws -> String {
        value.identifier
    }
}
