#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

// The types are on the main actor, where the callbacks run, so that a closure of such a type may use the state of a
// view controller.

/// The names of PiuPiu 1.4 and 1.11 for the types of callbacks and of a future's value.
extension ResponseFuture {
    /// The type of the value, under its name until PiuPiu 1.10.
    @available(*, deprecated, renamed: "Success")
    public typealias T = Success

    /// The type of a `success` callback.
    @available(*, deprecated, message: "Write the type: @MainActor (Success) throws -> Void.")
    public typealias SuccessHandler = @MainActor (Success) throws -> Void

    /// The type of an `error` callback.
    @available(*, deprecated, message: "Write the type: @MainActor (any Error) -> Void.")
    public typealias ErrorHandler = @MainActor (any Error) -> Void

    /// The type of a `completion` callback.
    @available(*, deprecated, message: "Write the type: @MainActor () -> Void.")
    public typealias CompletionHandler = @MainActor () -> Void

    /// The type of a `cancellation` callback.
    @available(*, deprecated, message: "Write the type: @MainActor () -> Void.")
    public typealias CancellationHandler = @MainActor () -> Void

    /// The type of an `updated` callback in PiuPiu 1.11.
    @available(*, deprecated, message: "Write the type: @MainActor (TransferUpdate) -> Void.")
    public typealias TaskCallback = @MainActor (URLSessionTask) -> Void

    /// The type of a `progress` callback in PiuPiu 1.4.
    @available(*, deprecated, message: "Use updated(_:), which takes @MainActor (TransferUpdate) -> Void.")
    public typealias ProgressCallback = @MainActor (Float) -> Void

    /// The result of `nonFailing()` in PiuPiu 1.4.
    @available(*, deprecated, message: "Use Result, as safeResult() gives it.")
    public typealias NonFailingResult<Value, Failure> = (success: Value?, failure: Failure?)
}

/// The result of `nonFailing()` in PiuPiu 1.4: a value or an error, although the type also allows neither or both.
@available(*, deprecated, message: "Use Result, as safeResult() gives it.")
public typealias NonFailingResult<Value, Failure> = (success: Value?, failure: Failure?)
