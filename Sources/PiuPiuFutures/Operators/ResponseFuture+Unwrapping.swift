/// Optional values.
///
/// The closures run in the background, once; after a failure or a cancellation they don't run.
extension ResponseFuture {
    /// The value in an optional; `nil` fails the chain.
    ///
    /// ```swift
    /// let user = cache.user(7).unwrap(orThrow: BlogError.unknownUser)
    /// ```
    ///
    /// swift-nio: `unwrap(orError:)`; PromiseKit: `compactMap { $0 }`.
    ///
    /// - Parameter error: made only if there is no value.
    public func unwrap<Wrapped>(
        orThrow error: @autoclosure @escaping @Sendable () -> any Error
    ) -> ResponseFuture<Wrapped> where Success == Wrapped? {
        then { value throws -> Wrapped in
            guard let value else { throw error() }
            return value
        }
    }

    /// Transforms the value in the background; `nil` fails the chain.
    ///
    /// ```swift
    /// let id = form.compactMap { form in Int(form.id) }
    /// ```
    ///
    /// As in PromiseKit, it transforms the value itself, and `nil` is an error. For the elements of a sequence use
    /// ``compactMapValues(_:)``. swift-nio: `map` and `unwrap(orError:)`.
    ///
    /// - Parameters:
    ///   - file: where this is called, for the message of an error.
    ///   - line: where this is called.
    ///   - transform: makes the new value; an error that it throws fails the chain, and `nil` fails it with
    ///     ``FutureError/missingValue(file:line:)``.
    public func compactMap<Output>(
        file: String = #fileID, line: UInt = #line, _ transform: @escaping @Sendable (Success) throws -> Output?
    ) -> ResponseFuture<Output> {
        then { value throws -> Output in
            guard let output = try transform(value) else { throw FutureError.missingValue(file: file, line: line) }
            return output
        }
    }
}

extension ResponseFuture where Success: Sequence {
    /// Transforms each element in the background, and omits those for which the closure returns `nil`.
    ///
    /// PromiseKit: `compactMapValues`.
    ///
    /// - Parameter transform: makes the new elements; an error that it throws fails the chain.
    public func compactMapValues<Output>(
        _ transform: @escaping @Sendable (Success.Element) throws -> Output?
    ) -> ResponseFuture<[Output]> {
        then { values in try values.compactMap(transform) }
    }
}
