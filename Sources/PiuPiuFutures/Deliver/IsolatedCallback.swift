/// A callback of the modern family: it runs in the isolation in which its closure was formed (contract rule
/// ANY-ACTOR).
@usableFromInline
package enum IsolatedCallback: Sendable {
    case update(@Sendable @isolated(any) (TransferUpdate) -> Void)
    /// Restores the value's type and calls the user's closure. Runs on that closure's actor, which is the first item.
    case success((any Actor)?, @Sendable (any FutureValue) async throws -> Void)
    case failure(@Sendable @isolated(any) (any Error) -> Void)
    case plain(@Sendable @isolated(any) () -> Void)

    /// The actor that the callback belongs to, or `nil` if it belongs to none.
    package var isolation: (any Actor)? {
        switch self {
        case .update(let callback): callback.isolation
        case .success(let isolation, _): isolation
        case .failure(let callback): callback.isolation
        case .plain(let callback): callback.isolation
        }
    }
}
