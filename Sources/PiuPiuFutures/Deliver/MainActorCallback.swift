/// A callback of the PiuPiu-style family: it runs on the main actor (contract rule MAIN).
@usableFromInline
package enum MainActorCallback: Sendable {
    case update(@MainActor (TransferUpdate) -> Void)
    /// Gets each update, and `nil` when the value is available.
    case progress(@MainActor (TransferUpdate?) -> Void)
    case success(@MainActor (any FutureValue) throws -> Void)
    case failure(@MainActor (any Error) -> Void)
    case plain(@MainActor () -> Void)
}
