/// Turns a value read from JSON into a value of the model.
///
/// ```swift
/// struct CelsiusTransform: DecodingTransform {
///     func from(json: Double, codingPath: [any CodingKey]) throws -> Measurement<UnitTemperature> {
///         Measurement(value: json, unit: .celsius)
///     }
/// }
///
/// temperature = try container.decode(using: CelsiusTransform(), forKey: .temperature)
/// ```
///
/// A transform is called on whichever thread decodes, any number of times at once. The decoder rethrows its errors.
///
/// A transform for PiuPiu 1.4, which has only `transform(json:)`, works too; the compiler advises to rename the method.
/// One that has neither method throws a `DecodingError`.
@preconcurrency
public protocol DecodingTransform<JSONSource, ValueDestination>: Sendable {
    /// The type that is read.
    associatedtype JSONSource: Decodable
    /// The type of the model's value.
    associatedtype ValueDestination

    /// Turns the value read into a value of the model.
    ///
    /// - Parameters:
    ///   - json: the value read.
    ///   - codingPath: the keys that lead to the value, for the context of a `DecodingError`.
    func from(json: JSONSource, codingPath: [any CodingKey]) throws -> ValueDestination

    // Disfavoured, so that a call selects the deprecated method below, which calls the transform's `from`.
    /// The requirement of PiuPiu 1.4; implement ``from(json:codingPath:)`` instead.
    @_disfavoredOverload
    func transform(json: JSONSource) throws -> ValueDestination
}

extension DecodingTransform {
    /// The name of `ValueDestination` in PiuPiu 1.4.
    @available(*, deprecated, renamed: "ValueDestination")
    public typealias ValueDesitination = ValueDestination

    /// Calls the transform's own `transform(json:)`.
    @available(*, deprecated, message: "Implement from(json:codingPath:) instead of transform(json:).")
    public func from(json: JSONSource, codingPath: [any CodingKey]) throws -> ValueDestination {
        do {
            // The full name picks the requirement, never the method below, which would call this one again.
            return try transform(json:)(json)
        } catch is MissingTransformMethod {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(Self.self) has no method to decode with. Implement from(json:codingPath:)."))
        }
    }

    /// The default for a transform that has no method of that name.
    @_disfavoredOverload
    public func transform(json: JSONSource) throws -> ValueDestination {
        throw MissingTransformMethod()
    }

    /// Turns the value read into a value of the model, as in PiuPiu 1.x.
    @available(*, deprecated, message: "Use from(json:codingPath:).")
    public func transform(json: JSONSource, codingPath: [any CodingKey] = []) throws -> ValueDestination {
        try from(json: json, codingPath: codingPath)
    }
}
