/// The work of a link that waits for more than its parent.
@usableFromInline
final class Join<Success: Sendable>: Sendable {
    /// How many joins stand below each other in the side futures.
    @usableFromInline let nesting: UInt16

    // Closures rather than the side futures themselves: they are made where the kind of the futures is known.

    @usableFromInline let claimSideFutures: @Sendable (any UpdateReceiver) -> [FutureStart]
    @usableFromInline let cancelSideFutures: @Sendable () -> Void
    @usableFromInline let operation: ResponseFuture<Success>.Operation

    @inlinable
    init(_ sideFutures: some SideFutures, operation: @escaping ResponseFuture<Success>.Operation) {
        nesting = sideFutures.nesting
        claimSideFutures = { sideFutures.claim(for: $0) }
        cancelSideFutures = { sideFutures.cancel() }
        self.operation = operation
    }
}

/// The futures beside the parent of a link.
@usableFromInline
protocol SideFutures: AnyObject, Sendable {
    /// How many joins stand below each other in them.
    var nesting: UInt16 { get }

    /// Claims those that nobody else can see for the work of `receiver`, and registers with the others; to be called
    /// once, before the work begins.
    ///
    /// - Returns: what is to be begun, in this order.
    func claim(for receiver: any UpdateReceiver) -> [FutureStart]

    /// Lets go of them, and cancels those that nobody else is interested in, before the work has begun.
    func cancel()
}
