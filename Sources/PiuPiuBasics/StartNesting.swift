/// Limits how many tasks or exchanges are started inside each other on the stack of one thread: work may await other
/// futures to any depth, and each exchange may end inside its start (contract rule DEPTH).
@usableFromInline
package enum StartNesting {
    private static let limit = 8

    private static let key = ThreadKey()

    /// Runs `start` if there is room on the stack; false if there is none.
    @usableFromInline
    package static func run(_ start: () -> Void) -> Bool { key.nest(upTo: limit, start) }
}
