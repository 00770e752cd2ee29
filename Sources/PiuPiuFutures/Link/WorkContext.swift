/// Bounds the stack depth of synchronous work (contract rule DEPTH).
@usableFromInline
struct WorkContext {
    /// How many links may run inside each other before those above them run separately.
    @inlinable static var depthLimit: Int { 100 }

    /// How many links run inside each other now.
    @usableFromInline var depth = 0

    @inlinable
    init() {}
}
