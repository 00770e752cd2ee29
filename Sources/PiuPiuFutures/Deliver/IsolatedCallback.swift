/// A callback of the modern family: it runs in the isolation in which its closure was formed (contract rule
/// ANY-ACTOR).
@usableFromInline
package enum IsolatedCallback: Sendable {
    case update(@Sendable @isolated(any) (TransferUpdate) -> Void)
    case success(any ValueCallback)
    case failure(@Sendable @isolated(any) (any Error) -> Void)
    case plain(@Sendable @isolated(any) () -> Void)

    /// The actor that the callback belongs to, or `nil` if it belongs to none.
    package var isolation: (any Actor)? {
        switch self {
        case .update(let callback): callback.isolation
        case .success(let callback): callback.isolation
        case .failure(let callback): callback.isolation
        case .plain(let callback): callback.isolation
        }
    }
}
