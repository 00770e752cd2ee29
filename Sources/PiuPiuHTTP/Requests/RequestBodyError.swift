public import Foundation

/// A body, or a query, that can't be made from the given value.
///
/// ```swift
/// do {
///     try request.setJSONBody(measurement)
/// } catch {
///     print(error.localizedDescription, error.codingPath)
/// }
/// ```
///
/// Its description leaves out the user name, the password and the query of the URL, so that it may go to a log.
public struct RequestBodyError: LocalizableError {
    /// The reason why it can't be made.
    public enum Kind: Sendable, Hashable {
        /// The encoding lacks a character of the text.
        case unencodableText(String.Encoding)
        /// The object holds a value that JSON can't express: a date, a number that isn't finite, …
        case invalidJSON
        /// The encoder threw for a value of this type.
        case unencodableValue(typeName: String)
    }

    /// The reason why it can't be made.
    public let kind: Kind

    /// The request, such as "POST https://example.com/posts", or the URL of a query, if known.
    public let request: String?

    /// The keys that lead to the value at fault; empty if that is the whole value.
    public let codingKeys: [any CodingKey]

    /// The error of the encoder; usually an `EncodingError`.
    public let underlyingError: (any Error)?

    init(_ kind: Kind, request: String?, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.request = request
        self.underlyingError = underlyingError
        if case EncodingError.invalidValue(_, let context)? = underlyingError {
            codingKeys = context.codingPath
        } else {
            codingKeys = []
        }
    }

    /// The place of the value at fault: "posts[3].rating"; empty if that is the whole value.
    public var codingPath: String { codingKeys.readablePath }

    /// The key of the kind, as "RequestBodyError.invalidJSON": see ``LocalizableError``.
    public var errorKey: String {
        switch kind {
        case .unencodableText: "RequestBodyError.unencodableText"
        case .invalidJSON: "RequestBodyError.invalidJSON"
        case .unencodableValue: "RequestBodyError.unencodableValue"
        }
    }

    /// Which value or body is at fault, why, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        let name = request ?? ErrorText("the request").localized("UnknownRequest")
        return switch kind {
        case .unencodableText(let encoding):
            """
            The body of \(name, as: "request") can't be written as \(encoding, as: "encoding"). Use UTF-8, or leave \
            out the characters that the encoding lacks.
            """
        case .invalidJSON:
            """
            The body of \(name, as: "request") is not a JSON object or array. Use strings, finite numbers, booleans, \
            nil, arrays and dictionaries.
            """
        case .unencodableValue(let typeName):
            """
            A value of the type \(typeName, as: "type") could not be encoded for \(name, as: "request"): \
            \(reason, as: "reason"). Correct the value, or set up the encoder for it.
            """
        }
    }

    private var reason: String {
        if let error = underlyingError as? EncodingError { return error.readableReason }
        return (underlyingError?.localizedDescription ?? "").withoutFullStop
    }
}

extension RequestBodyError: RequestNamingError {
    package var namesRequest: Bool { request != nil }
}
