/// The callbacks of a future, of both families.
///
/// It decides; ``FutureRun``, to which it is isolated, acts on what it returns.
final class FutureCallbacks {
    /// The deliveries to begin.
    struct Deliveries: OptionSet, Sendable {
        let rawValue: UInt8

        static let slots = Deliveries(rawValue: 1)
        static let observers = Deliveries(rawValue: 2)
    }

    /// Callbacks, errors and sources of updates that nobody needs any more.
    struct Discarded: Sendable {
        var slots: [MainActorCallback]
        var observers: [IsolatedCallback]
        var leftovers: [any Sendable]
    }

    /// The callbacks of the modern family.
    ///
    /// An object of its own: most futures have callbacks of one family only, and two small allocations cost less than a
    /// large one.
    final class Observers {
        // Sound without a check for overlapping accesses, as below.
        @exclusivity(unchecked) var queue = CallbackQueue<any FutureValue, IsolatedCallback>()
    }

    // Sound without a check for overlapping accesses: each access holds the lock of the run, and calls nothing outside
    // it.

    @exclusivity(unchecked) var slots = CallbackQueue<any FutureValue, MainActorCallback>()
    @exclusivity(unchecked) var observers: Observers?
    /// Streams of updates, which get each update at once.
    @exclusivity(unchecked) private var onlookers: [Int: UpdateStream] = [:]
    private var lastOnlooker = 0

    /// Callbacks of a future that never ran may have captured futures, which have callbacks too (contract rule DEPTH).
    deinit {
        // Their future was released without being started.
        for onlooker in takeOnlookers() { onlooker.finish() }
        guard !slots.isEmpty || observers?.queue.isEmpty == false else { return }
        var discarded = takeAll()
        Trampoline.release(&discarded)
    }

    /// The source of a sequence of updates.
    typealias UpdateStream = AsyncStream<TransferUpdate>.Continuation

    /// Whether nothing is left to deliver.
    var isIdle: Bool { slots.isIdle && observers?.queue.isIdle ?? true }

    /// Whether new queues, made now, could replace these.
    var isSpent: Bool { slots.isSpent && observers?.queue.isSpent ?? true }

    /// Whether there is something to release outside the lock.
    var hasDiscarded: Bool { slots.hasDiscarded || observers?.queue.hasDiscarded ?? false }

    /// Whether a delivery can begin, once the future is past its start.
    var canBeginDelivery: Bool { slots.canBeginDelivery || observers?.queue.canBeginDelivery ?? false }

    /// Whether a stream gets the updates.
    var hasOnlookers: Bool { !onlookers.isEmpty }

    /// Adds a stream of updates.
    ///
    /// - Returns: its name, for ``removeOnlooker(_:)``.
    func add(_ onlooker: UpdateStream) -> Int {
        lastOnlooker += 1
        onlookers[lastOnlooker] = onlooker
        return lastOnlooker
    }

    /// Takes a stream out again.
    func removeOnlooker(_ name: Int) -> UpdateStream? { onlookers.removeValue(forKey: name) }

    /// Takes out all streams, in the order in which they were added.
    func takeOnlookers() -> [UpdateStream] {
        defer { onlookers = [:] }
        return presentOnlookers
    }

    var presentOnlookers: [UpdateStream] {
        onlookers.isEmpty ? [] : onlookers.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Enqueues an update; only the slots get the end of a transfer.
    func enqueue(_ update: TransferUpdate) {
        slots.enqueue(update)
        if !update.isEnd { observers?.queue.enqueue(update) }
    }

    /// Sets the outcome.
    func settle(_ outcome: FutureOutcome<any FutureValue>, isReported: Bool = false) {
        slots.settle(outcome, isReported: isReported)
        observers?.queue.settle(outcome, isReported: isReported)
    }

    /// Turns an outcome that is not delivered to every callback yet into a cancellation.
    ///
    /// - Returns: such outcomes, for the caller to release outside its lock.
    func cancelUndelivered() -> [FutureOutcome<any FutureValue>] {
        slots.cancelUndelivered() + (observers?.queue.cancelUndelivered() ?? [])
    }

    /// The deliveries that have something to do and have not begun.
    ///
    /// - Parameter isStarted: whether the future is past its start; nothing is delivered before.
    func deliveriesToBegin(isStarted: Bool) -> Deliveries {
        guard isStarted else { return [] }
        var deliveries: Deliveries = []
        if slots.beginDelivery() { deliveries.insert(.slots) }
        if observers?.queue.beginDelivery() == true { deliveries.insert(.observers) }
        return deliveries
    }

    /// Takes out all callbacks: none will ever run.
    func takeAll() -> Discarded? {
        slots.keepNone()
        observers?.queue.keepNone()
        return takeDiscarded()
    }

    func takeDiscarded() -> Discarded? {
        guard hasDiscarded else { return nil }
        return Discarded(
            slots: slots.takeDiscarded(), observers: observers?.queue.takeDiscarded() ?? [],
            leftovers: slots.takeLeftovers() + (observers?.queue.takeLeftovers() ?? []))
    }
}
