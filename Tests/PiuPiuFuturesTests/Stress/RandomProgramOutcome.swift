import PiuPiu
import TestSupport

/// How a node of a random program ended, in a form that a set can hold.
enum RandomProgramOutcome: Hashable, Sendable {
    case value(Int)
    case error(Int)
    case abandoned
    case allFailed
    case cancelled
    /// An error that no program should see.
    case unexpected(String)

    /// The outcome of awaiting a future in the caller's isolation; `nil` if there is no future. A closure, so that a future
    /// that only the caller owns has no other reference until it is awaited.
    init?(of future: @Sendable () -> ResponseFuture<Int>?) async {
        do {
            guard let value = try await future()?.value else { return nil }
            self = .value(value)
        } catch {
            self.init(error)
        }
    }

    init(_ error: any Error) {
        switch error {
        case let mishap as Mishap: self = .error(mishap.number)
        case is CancellationError: self = .cancelled
        case FutureError.abandoned: self = .abandoned
        case is AllFuturesFailedError: self = .allFailed
        default: self = .unexpected("\(error)")
        }
    }

    init(_ ending: RandomProgram.Ending) {
        switch ending {
        case .value(let value): self = .value(value)
        case .error(let number): self = .error(number)
        case .cancelled: self = .cancelled
        }
    }

    var value: Int? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The value that `thenResult` and `safeResult` pass on: an error has one too.
    var recovered: Int? {
        switch self {
        case .value(let value): value
        case .error(let number): (number + 7) % RandomProgram.modulus
        case .abandoned: 3
        case .allFailed: 5
        case .cancelled, .unexpected: nil
        }
    }

    var status: FutureStatus {
        switch self {
        case .value: .success
        case .cancelled: .cancelled
        case .error, .abandoned, .allFailed, .unexpected: .error
        }
    }
}

extension RandomProgram.Ending {
    /// The value, or the error.
    func get() throws -> Int {
        switch self {
        case .value(let value): value
        case .error(let number): throw Mishap(number: number)
        case .cancelled: throw CancellationError()
        }
    }
}

extension RandomProgram.Transform {
    func callAsFunction(_ value: Int) throws -> Int {
        switch self {
        case .add(let number): return (value + number) % RandomProgram.modulus
        case .fail(let number): throw Mishap(number: number)
        case .failIfOdd(let number):
            if value.isMultiple(of: 2) { return (value + number) % RandomProgram.modulus }
            throw Mishap(number: number)
        }
    }

    /// The outcome of transforming a value.
    func outcome(_ value: Int) -> RandomProgramOutcome {
        do { return .value(try self(value)) } catch { return RandomProgramOutcome(error) }
    }
}
