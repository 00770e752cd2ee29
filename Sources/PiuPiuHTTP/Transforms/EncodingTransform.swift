/// Turns a value of the model into a value to write to JSON.
///
/// ```swift
/// struct CelsiusTransform: EncodingTransform {
///     func toJSON(_ value: Measurement<UnitTemperature>, codingPath: [any CodingKey]) throws -> Double {
///         value.converted(to: .celsius).value
///     }
/// }
///
/// try container.encode(temperature, forKey: .temperature, using: CelsiusTransform())
/// ```
///
/// A transform is called on whichever thread encodes, any number of times at once. When it throws, the encoder is
/// unchanged.
///
/// A transform for PiuPiu 1.4, which has only `transform(value:)`, works too; the compiler advises to rename the
/// method. One that has neither method throws an `EncodingError`.
@preconcurrency
public protocol EncodingTransform<ValueSource, JSONDestination>: Sendable {
    /// The type of the model's value.
    associatedtype ValueSource
    /// The type that is written.
    associatedtype JSONDestination: Encodable

    /// Turns a value of the model into the value to write.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - codingPath: the keys that lead to the value, for the context of an `EncodingError`.
    func toJSON(_ value: ValueSource, codingPath: [any CodingKey]) throws -> JSONDestination

    // Disfavoured, so that a call selects the deprecated method below, which calls the transform's `toJSON`.
    /// The requirement of PiuPiu 1.4; implement ``toJSON(_:codingPath:)`` instead.
    @_disfavoredOverload
    func transform(value: ValueSource) throws -> JSONDestination
}

extension EncodingTransform {
    /// Calls the transform's own `transform(value:)`.
    @available(*, deprecated, message: "Implement toJSON(_:codingPath:) instead of transform(value:).")
    public func toJSON(_ value: ValueSource, codingPath: [any CodingKey]) throws -> JSONDestination {
        do {
            // The full name picks the requirement, never the method below, which would call this one again.
            return try transform(value:)(value)
        } catch is MissingTransformMethod {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(Self.self) has no method to encode with. Implement toJSON(_:codingPath:)."))
        }
    }

    /// The default for a transform that has no method of that name.
    @_disfavoredOverload
    public func transform(value: ValueSource) throws -> JSONDestination {
        throw MissingTransformMethod()
    }

    /// Turns a value of the model into the value to write, as in PiuPiu 1.x.
    @available(*, deprecated, message: "Use toJSON(_:codingPath:).")
    public func transform(value: ValueSource, codingPath: [any CodingKey] = []) throws -> JSONDestination {
        try toJSON(value, codingPath: codingPath)
    }
}
