import Foundation
import PiuPiu

/// An object with one value, written and read with a transform.
struct TransformHolder<T: Transform>: EncodableWithConfiguration, DecodableWithConfiguration {
    enum CodingKeys: String, CodingKey {
        case value
    }

    let encoded: T.ValueSource?
    let decoded: T.ValueDestination?

    init(_ value: T.ValueSource) {
        encoded = value
        decoded = nil
    }

    init(from decoder: any Decoder, configuration: T) throws {
        encoded = nil
        decoded = try decoder.container(keyedBy: CodingKeys.self).decode(using: configuration, forKey: .value)
    }

    func encode(to encoder: any Encoder, configuration: T) throws {
        guard let encoded else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(encoded, forKey: .value, using: configuration)
    }
}

/// The same object read without a transform, by Foundation alone.
struct PlainTransformHolder<Value: Decodable>: Decodable {
    let value: Value
}

extension Transform {
    /// `{"value": …}` with the transformed value.
    func json(_ value: ValueSource) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try encoder.encode(TransformHolder<Self>(value), configuration: self)
    }

    /// The value of `{"value": …}`.
    func value(_ json: Data) throws -> ValueDestination? {
        try JSONDecoder().decode(TransformHolder<Self>.self, from: json, configuration: self).decoded
    }

    /// The value of `{"value": …}`.
    func value(_ json: String) throws -> ValueDestination? {
        try value(Data(json.utf8))
    }
}

extension Data {
    var jsonText: String { String(decoding: self, as: UTF8.self) }
}

/// The path of a `DecodingError` or an `EncodingError`, joined by points.
func codingPathText(of error: any Error) -> String? {
    let keys: [any CodingKey]? =
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.valueNotFound(_, let context),
            DecodingError.typeMismatch(_, let context):
            context.codingPath
        case EncodingError.invalidValue(_, let context): context.codingPath
        case DecodingError.keyNotFound(let key, let context): context.codingPath + [key]
        case let error as TimeZoneTransform.TransformError: error.codingPath
        default: nil
        }
    return keys?.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
}

/// Accepts text that begins with a capital; its errors have the path that it gets.
struct PathTransform: Transform, ParameterlessTransform {
    func from(json: String, codingPath: [any CodingKey]) throws -> String {
        guard json.first?.isUppercase == true else {
            throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: "small"))
        }
        return json
    }

    func toJSON(_ value: String, codingPath: [any CodingKey]) throws -> String {
        guard value.first?.isUppercase == true else {
            throw EncodingError.invalidValue(
                value, EncodingError.Context(codingPath: codingPath, debugDescription: "small"))
        }
        return value
    }
}
