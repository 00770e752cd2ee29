/// What a consumer that wants a result has to do.
@usableFromInline
package enum FutureResultsStep<Success: Sendable>: Sendable {
    /// Read one more future, then start it or report that there is none.
    case readSource
    case deliver(FutureResultsDelivery<Success>)
    case wait
}

/// The decisions of a sequence of futures' results: which future may start, which result is next, what a failure or a
/// cancellation ends.
///
/// A pure value without threads or tasks. Each method returns what the caller (``FutureResultsObserver``) has to do,
/// and the caller does it after it has released its lock. `Child` gives up the interest in one future; `Consumer`
/// resumes one that waits for a result. Tests use numbers.
package struct FutureResultsStateMachine<Success: Sendable, Child: Sendable, Consumer: Sendable>: Sendable {
    package typealias Element = FutureResultsDelivery<Success>.Element
    package typealias Delivery = FutureResultsDelivery<Success>

    package typealias Step = FutureResultsStep<Success>

    /// What a change leaves to do outside the lock.
    package struct Effects: Sendable {
        package var cancelledChildren: [Child] = []
        /// `nil` asks the consumer to take its next step again: there is room for one more future.
        package var deliveries: [(consumer: Consumer, delivery: Delivery?)] = []
        /// Results that no consumer gets: releasing one may run any code.
        package var dropped: [Element] = []
    }

    private enum Phase: Sendable {
        case running
        /// A child has failed: results that are ready in order are still delivered, then the failure.
        case failing(Element)
        case cancelled
        case ended
    }

    private let order: FutureResultsOrder
    private let limit: Int
    private let stopsAtFailure: Bool
    private var phase: Phase = .running
    private var isSourceEnded = false
    private var startedCount = 0
    private var completedCount = 0
    private var deliveredCount = 0
    private var children = RunningChildren<Child>()
    /// Results that wait for a consumer, in the order of delivery.
    private var ready = ResultWindow<Element>()
    private var consumers: [Consumer] = []

    /// - Parameters:
    ///   - limit: how many may have been started and not been delivered; less than one counts as one.
    ///   - stopsAtFailure: whether the first failure cancels the others and ends the sequence.
    package init(order: FutureResultsOrder, limit: Int?, stopsAtFailure: Bool) {
        self.order = order
        self.limit = max(1, limit ?? .max)
        self.stopsAtFailure = stopsAtFailure
    }

    // MARK: Consuming

    /// Returns what a consumer has to do to get its next result.
    package mutating func next() -> Step {
        mayRead ? .readSource : takeDelivery().map(Step.deliver) ?? .wait
    }

    /// Enqueues a consumer, unless by now it has something else to do.
    package mutating func wait(_ consumer: Consumer) -> Step {
        let step = next()
        if case .wait = step { consumers.append(consumer) }
        return step
    }

    /// Whether a consumer waits.
    package var hasConsumers: Bool { !consumers.isEmpty }

    /// Whether there may be one more future, and room for it.
    private var mayRead: Bool {
        if case .running = phase { !isSourceEnded && startedCount - deliveredCount < limit } else { false }
    }

    private mutating func takeDelivery() -> Delivery? {
        if let element = ready.popFirst() {
            deliveredCount += 1
            return .element(element)
        }
        switch phase {
        case .running:
            guard isSourceEnded, startedCount == deliveredCount else { return nil }
            phase = .ended
            return .end
        case .failing(let element):
            phase = .ended
            return .element(element)
        case .cancelled:
            phase = .ended
            return .cancelled
        case .ended:
            return .end
        }
    }

    private mutating func serveConsumers(_ effects: inout Effects) {
        while !consumers.isEmpty, let delivery = takeDelivery() {
            effects.deliveries.append((consumers.removeFirst(), delivery))
        }
        // The one that took a result need not ask for another. The one that asks again reads all that there is room for.
        if mayRead, !consumers.isEmpty { effects.deliveries.append((consumers.removeFirst(), nil)) }
    }

    // MARK: Children

    /// There are no more futures to start.
    package mutating func sourceEnded() -> Effects {
        var effects = Effects()
        isSourceEnded = true
        serveConsumers(&effects)
        return effects
    }

    /// Whether another future may start: a failure may have come while the source was read.
    package var mayBegin: Bool { if case .running = phase { true } else { false } }

    /// Counts one more future as started, and returns its offset.
    package mutating func begin() -> Int {
        defer { startedCount += 1 }
        children.begin(startedCount)
        return startedCount
    }

    /// Registers a child that has begun; false if it must be cancelled instead.
    package mutating func adopt(_ child: Child, at offset: Int) -> Bool {
        guard case .running = phase else { return false }
        children.adopt(child, at: offset)
        return true
    }

    /// The children that run.
    package var runningChildren: [Child] { children.running }

    /// The same with their offsets.
    package var runningPlaces: [(offset: Int, child: Child)] { children.places }

    /// A child has ended; ignored if it had before.
    package mutating func finish(_ offset: Int, with result: Result<Success, any Error>) -> Effects {
        var effects = Effects()
        guard case .running = phase, children.end(offset) else { return effects }
        if stopsAtFailure, case .failure = result {
            phase = .failing((offset, result))
            effects.cancelledChildren = children.takeAll()
            effects.dropped = ready.takeOutOfOrder()
        } else {
            ready.insert((offset, result), at: (order == .completion ? completedCount : offset) - deliveredCount)
            completedCount += 1
        }
        serveConsumers(&effects)
        return effects
    }

    // MARK: Ending

    /// The rest isn't needed: the consumer's task was cancelled, or its iterator was released.
    package mutating func cancel() -> Effects {
        var effects = Effects()
        switch phase {
        case .cancelled, .ended: return effects
        case .running where isSourceEnded && startedCount == deliveredCount: return effects
        case .running: break
        case .failing(let element): effects.dropped.append(element)
        }
        phase = .cancelled
        effects.cancelledChildren = children.takeAll()
        effects.dropped += ready.takeAll()
        serveConsumers(&effects)
        return effects
    }
}
