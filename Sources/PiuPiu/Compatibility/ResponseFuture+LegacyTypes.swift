#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

// The kinds of callbacks are typed for the main actor, where they run, so that a closure that is declared as one may
// touch what a view controller owns.

/// The names that PiuPiu 1.4 and 1.11 gave to the kinds of callbacks and to a future's value.
extension ResponseFuture {
    /// The value's type, under the name that it had until PiuPiu 1.10.
    @available(*, deprecated, renamed: "Success")
    public typealias T = Success

    /// What `success` takes.
    @available(*, deprecated, message: "Write the type: @MainActor (Success) throws -> Void.")
    public typealias SuccessHandler = @MainActor (Success) throws -> Void

    /// What `error` takes.
    @available(*, deprecated, message: "Write the type: @MainActor (any Error) -> Void.")
    public typealias ErrorHandler = @MainActor (any Error) -> Void

    /// What `completion` takes.
    @available(*, deprecated, message: "Write the type: @MainActor () -> Void.")
    public typealias CompletionHandler = @MainActor () -> Void

    /// What `cancellation` takes.
    @available(*, deprecated, message: "Write the type: @MainActor () -> Void.")
    public typealias CancellationHandler = @MainActor () -> Void

    /// What `updated` took in PiuPiu 1.11.
    @available(*, deprecated, message: "Write the type: @MainActor (TransferUpdate) -> Void.")
    public typealias TaskCallback = @MainActor (URLSessionTask) -> Void

    /// What `progress` took in PiuPiu 1.4.
    @available(*, deprecated, message: "Use updated(_:), which takes @MainActor (TransferUpdate) -> Void.")
    public typealias ProgressCallback = @MainActor (Float) -> Void

    /// What `nonFailing()` gave in PiuPiu 1.4.
    @available(*, deprecated, message: "Use Result, as safeResult() gives it.")
    public typealias NonFailingResult<Value, Failure> = (success: Value?, failure: Failure?)
}

/// A value or an error, or rather neither or both, as `nonFailing()` gave them in PiuPiu 1.4.
@available(*, deprecated, message: "Use Result, as safeResult() gives it.")
public typealias NonFailingResult<Value, Failure> = (success: Value?, failure: Failure?)
