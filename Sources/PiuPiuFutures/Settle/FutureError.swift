import Foundation

/// An error of a future itself, not of its work.
public enum FutureError: LocalizableError, Equatable {
    /// The action released its last reference to its future, or the last reference to the promise of
    /// ``ResponseFuture/pending(file:line:)`` was released, and nothing had settled the future (contract rule
    /// NEVER-HANG). `file` and `line` say where the future was created.
    case abandoned(file: String, line: UInt)

    /// A future would have to settle itself: it fulfills itself, its operation awaits it, or an operator's callback
    /// returned the future that the operator made.
    case waitsForItself

    /// A completion handler was called with neither a value nor an error. `file` and `line` say where the future was
    /// created.
    case neitherValueNorError(file: String, line: UInt)

    /// A sequence ended without an element, but its first or last one was wanted. `file` and `line` say where the
    /// future was created.
    case emptySequence(file: String, line: UInt)

    /// The future did not end in the time that ``ResponseFuture/timeout(_:clock:)`` gave it.
    case timedOut(after: Duration)

    /// The closure of ``ResponseFuture/compactMap(file:line:_:)`` returned `nil`. `file` and `line` say where.
    case missingValue(file: String, line: UInt)

    /// The key of the case, as "FutureError.abandoned": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .abandoned: "FutureError.abandoned"
        case .waitsForItself: "FutureError.waitsForItself"
        case .neitherValueNorError: "FutureError.neitherValueNorError"
        case .emptySequence: "FutureError.emptySequence"
        case .timedOut: "FutureError.timedOut"
        case .missingValue: "FutureError.missingValue"
        }
    }

    /// A sentence for people: what happened, where, and what to do.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .abandoned(let file, let line):
            """
            The future created at \(file, as: "file"):\(line, as: "line") was released by the code that had to \
            settle it. Call succeed, fail, complete or cancel on every path of that code, and keep the future until \
            then.
            """
        case .waitsForItself:
            "A future waits for itself. Return another future from the callback, or fulfill another."
        case .neitherValueNorError(let file, let line):
            """
            The completion handler of the future created at \(file, as: "file"):\(line, as: "line") was called with \
            neither a value nor an error. If `nil` is a valid result, make a future of an optional with \
            withResultHandler, and succeed with `nil`.
            """
        case .emptySequence(let file, let line):
            """
            The sequence of the future created at \(file, as: "file"):\(line, as: "line") ended without an element. \
            If it may be empty, collect its elements with init(allOf:), which gives an empty array.
            """
        case .timedOut(let duration):
            "The future did not end within \(duration, as: "duration"). Try again, or give it more time with timeout."
        case .missingValue(let file, let line):
            """
            The closure of compactMap at \(file, as: "file"):\(line, as: "line") returned `nil`. If `nil` is a valid \
            result, use `then`, which gives an optional.
            """
        }
    }
}
