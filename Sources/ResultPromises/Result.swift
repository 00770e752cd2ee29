/// A value or an error: the result of ResultPromises 0.1, from before Swift had its own.
///
/// ```swift
/// let length = Result.success(value: "four").map { $0.count }
/// print(try length.resolve())
/// ```
///
/// In a file that imports this module, `Result` means this type; Swift's own is `Swift.Result` there. ``init(_:)`` and
/// ``swiftResult`` convert between them.
public enum Result<T> {
    /// There is a value.
    case success(value: T)
    /// There is an error.
    case failure(error: any Error)

    /// The result with its value mapped. An error that the mapper throws becomes the error; an error stays.
    public func map<U>(mapper: (T) throws -> U) -> Result<U> {
        switch self {
        case .success(let value):
            do { return .success(value: try mapper(value)) } catch { return .failure(error: error) }
        case .failure(let error): return .failure(error: error)
        }
    }

    /// The result that the mapper returns for the value; an error stays.
    public func flatMap<U>(mapper: (T) -> Result<U>) -> Result<U> {
        switch self {
        case .success(let value): mapper(value)
        case .failure(let error): .failure(error: error)
        }
    }

    /// The value.
    ///
    /// - Throws: the error, if there is one instead.
    public func resolve() throws -> T {
        switch self {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }
}

extension Result: Sendable where T: Sendable {}
