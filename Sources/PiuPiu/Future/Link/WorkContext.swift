/// What bounds the stack that synchronous work takes (contract rule DEPTH).
@usableFromInline
struct WorkContext {
    /// How many links may run inside each other before what is above them is run apart.
    @inlinable static var depthLimit: Int { 100 }

    /// How many links run inside each other at the moment.
    @usableFromInline var depth = 0

    @inlinable
    init() {}
}
