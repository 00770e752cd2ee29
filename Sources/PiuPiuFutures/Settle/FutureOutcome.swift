internal import Foundation

/// How a future ended. A cancellation is not a failure, whatever error announced it.
@usableFromInline
package enum FutureOutcome<Success: Sendable>: Sendable {
    case success(Success)
    case failure(any Error)
    case cancelled

    /// The outcome of a thrown error: `CancellationError` and Foundation's equivalents are a cancellation.
    @inlinable
    package init(failure error: any Error) {
        self = error.isCancellation ? .cancelled : .failure(error)
    }

    /// The outcome that a result stands for.
    @inlinable
    package init(_ result: Result<Success, any Error>) {
        switch result {
        case .success(let value): self = .success(value)
        case .failure(let error): self.init(failure: error)
        }
    }

    /// The value, or the error; `CancellationError` if it was cancelled.
    @inlinable
    package func get() throws -> Success {
        switch self {
        case .success(let value): value
        case .failure(let error): throw error
        case .cancelled: throw CancellationError()
        }
    }

    /// The value or the error; `CancellationError` if it was cancelled.
    @inlinable
    var result: Result<Success, any Error> {
        switch self {
        case .success(let value): .success(value)
        case .failure(let error): .failure(error)
        case .cancelled: .failure(CancellationError())
        }
    }

    /// The transformed success, or the same failure or cancellation.
    @inlinable
    func flatMap<New>(_ transform: (Success) -> FutureOutcome<New>) -> FutureOutcome<New> {
        switch self {
        case .success(let value): transform(value)
        case .failure(let error): .failure(error)
        case .cancelled: .cancelled
        }
    }

    /// The value, if there is one.
    package var value: Success? {
        if case .success(let value) = self { value } else { nil }
    }

    /// The same without the value.
    package var withoutValue: FutureOutcome<Void> { flatMap { _ in .success(()) } }

    /// The status of a future with this outcome.
    package var status: FutureStatus {
        switch self {
        case .success: .success
        case .failure: .error
        case .cancelled: .cancelled
        }
    }
}
