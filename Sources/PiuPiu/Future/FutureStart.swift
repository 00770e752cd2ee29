/// A future that has been claimed, or registered with, and is to be begun, with all above it.
@usableFromInline
struct FutureStart {
    let future: AnyResponseFuture
    /// Whoever hears of its parents' updates, and stands for it where it waits.
    let receiver: any UpdateReceiver
    /// Whether it has a run of its own, rather than being a part of the work of `receiver`.
    let hasOwnRun: Bool

    init(future: AnyResponseFuture, receiver: any UpdateReceiver, hasOwnRun: Bool) {
        self.future = future
        self.receiver = receiver
        self.hasOwnRun = hasOwnRun
    }

    /// The start of a future that has been claimed as a part of the work of `receiver`; `nil` if there is nothing to
    /// begin before that work.
    @usableFromInline
    init?(partOf receiver: any UpdateReceiver, _ future: AnyResponseFuture) {
        if future.parent == nil, future.kind != .joining { return nil }
        self.init(future: future, receiver: receiver, hasOwnRun: false)
    }

    /// The start of a future that others see too; `nil` if it has been started.
    ///
    /// - Throws: ``FutureError/waitsForItself`` if it is the future that `receiver` stands for.
    @usableFromInline
    init?(registering receiver: any UpdateReceiver, with future: AnyResponseFuture) throws {
        let run = future.run
        if run === receiver { throw FutureError.waitsForItself }
        guard future.reserve(for: receiver) else { return nil }
        self.init(future: future, receiver: run, hasOwnRun: true)
    }

    @usableFromInline
    func begin() {
        AnyResponseFuture.begin([self])
    }
}
