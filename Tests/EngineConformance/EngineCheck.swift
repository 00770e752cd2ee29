public import PiuPiu

/// One thing that an engine has to do.
public struct EngineCheck: Sendable, CustomStringConvertible {
    /// What is checked; no two checks have the same name.
    public let name: String

    /// The name.
    public var description: String { name }

    private let body: @Sendable (EngineStand) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (EngineStand) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// No check takes longer than a few seconds on an idle machine; on a busy one a check must still end before a
    /// test's time limit of ten minutes.
    private static let deadline = Duration.seconds(480)

    /// Runs the check.
    ///
    /// It ends within eight minutes, even if the engine never answers.
    ///
    /// - Parameter makeEngine: makes the engine to check, a new one with each call.
    /// - Throws: ``EngineCheckFailure`` when the engine misbehaves.
    public func run(_ makeEngine: @escaping @Sendable () -> any TransferEngine) async throws(EngineCheckFailure) {
        do {
            let stand = try EngineStand(makeEngine)
            defer { stand.remove() }
            try await Deadline.run(within: Self.deadline) { [body] in try await body(stand) }
        } catch {
            throw EngineCheckFailure(check: name, reason: error)
        }
    }
}

/// An engine has misbehaved.
public struct EngineCheckFailure: Error, CustomStringConvertible {
    /// The name of the check.
    public let check: String
    /// What was wrong: an ``EngineMisbehaviour``, or an error that the engine should not have thrown.
    public let reason: any Error

    /// The name and the reason.
    public var description: String { "\(check): \(reason)" }
}

/// What an engine did and should not have done.
public struct EngineMisbehaviour: Error, CustomStringConvertible {
    /// What was expected, and what came.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws unless `condition` holds.
func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws(EngineMisbehaviour) {
    if !condition { throw EngineMisbehaviour(message()) }
}

/// Throws unless both are equal.
func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws(EngineMisbehaviour) {
    if value != expected { throw EngineMisbehaviour("\(what): \(value) instead of \(expected)") }
}

/// The value, which must be there.
func require<Value>(_ value: Value?, _ what: String) throws(EngineMisbehaviour) -> Value {
    guard let value else { throw EngineMisbehaviour("\(what) is missing") }
    return value
}
