/// What is known of the work of a link and of all above it.
@usableFromInline
enum ChainKind: UInt8, Sendable {
    /// All of it is ``WorkKind/synchronous``.
    case synchronous
    /// One has a legacy action, which runs on the thread that starts it.
    case startsOnCaller
    case other

    /// - Parameters:
    ///   - kind: the work of the link itself.
    ///   - parent: what is known of its parent, if it has one.
    ///   - startsOnCaller: whether a future that the link joins has a legacy action.
    init(of kind: WorkKind, below parent: ChainKind?, startsOnCaller: Bool) {
        self =
            if startsOnCaller || kind == .action || parent == .startsOnCaller {
                .startsOnCaller
            } else if kind == .synchronous, parent ?? .synchronous == .synchronous {
                .synchronous
            } else {
                .other
            }
    }
}
