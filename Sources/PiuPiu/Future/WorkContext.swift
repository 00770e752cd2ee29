/// What synchronous work is given by whoever runs it, and what bounds the stack that it takes (contract rule DEPTH).
@usableFromInline
struct WorkContext {
    /// How many links may run inside each other before what is above them is run apart.
    @inlinable static var depthLimit: Int { 100 }

    /// How many times that may happen on one stack.
    @inlinable static var nestingLimit: Int { 2 }

    /// Whoever wants to hear of updates, and stands for the chain where it waits; `nil` as long as nothing in the chain
    /// may be started for which it would have to wait.
    @usableFromInline let receiver: (any UpdateReceiver)?

    /// How many links run inside each other at the moment, since ``nesting`` grew.
    @usableFromInline var depth = 0

    /// How many times what is above was run apart, on this stack.
    @usableFromInline var nesting = 0

    @inlinable
    init(receiver: (any UpdateReceiver)?) {
        self.receiver = receiver
    }

    /// Whether the stack has room for a future that a link has made, also where the depth limit has just been reached.
    @inlinable
    var hasRoomForInnerFuture: Bool { depth < Self.depthLimit + 20 }

    /// The context for what is run apart.
    ///
    /// - Throws: ``MustWait`` if the stack has no room for it.
    @usableFromInline
    func nested() throws(MustWait) -> WorkContext {
        if nesting == Self.nestingLimit { throw MustWait() }
        var context = WorkContext(receiver: receiver)
        context.nesting = nesting + 1
        return context
    }
}

/// Thrown by synchronous work that finds something that has to be waited for, or too little room on the stack; the
/// work can be tried again after the wait. Never seen outside.
@usableFromInline
struct MustWait: Error {
    @inlinable
    init() {}
}
