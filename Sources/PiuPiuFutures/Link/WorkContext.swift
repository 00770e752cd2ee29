/// Bounds the stack depth of synchronous work (contract rule DEPTH).
@usableFromInline
struct WorkContext {
    /// How many transforms may run inside each other before the links above them run separately.
    @inlinable static var depthLimit: Int { 100 }

    /// How many transforms the work of one link may have: it is never divided.
    @inlinable static var transformLimit: UInt8 { 50 }

    /// How many transforms run inside each other now.
    @usableFromInline var depth = 0

    @inlinable
    init() {}
}
