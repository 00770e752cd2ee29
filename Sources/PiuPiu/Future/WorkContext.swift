/// What the work of a link is given by whoever runs it.
@usableFromInline
struct WorkContext {
    /// How many links may run inside each other on one stack.
    @inlinable static var depthLimit: Int { 100 }

    /// Whoever wants to hear of updates.
    @usableFromInline let receiver: any UpdateReceiver

    /// How many links run inside each other at the moment.
    @usableFromInline var depth = 0

    @inlinable
    init(receiver: any UpdateReceiver) {
        self.receiver = receiver
    }

    /// The same, for the parent of the link that is running.
    @inlinable
    var oneDeeper: WorkContext {
        var context = self
        context.depth += 1
        return context
    }
}
