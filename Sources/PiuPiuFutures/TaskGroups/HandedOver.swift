/// A future on its way to the only task that awaits it. A closure would retain the future while that task awaits it;
/// one that nothing else can reach needs no actor.
@usableFromInline
struct HandedOver<Success: Sendable>: Sendable {
    @usableFromInline let place: Locked<ResponseFuture<Success>?>

    @inlinable
    init(_ future: ResponseFuture<Success>) {
        place = Locked(future)
    }

    /// Takes out the future; the task does that once.
    @inlinable
    func take() -> ResponseFuture<Success> {
        place.withLock { $0.take() } ?? ResponseFuture(error: CancellationError())
    }
}
