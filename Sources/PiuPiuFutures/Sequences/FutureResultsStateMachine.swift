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
        package var deliveries: [(consumer: Consumer, delivery: Delivery)] = []
        /// Results that nobody will get: releasing one may run any code.
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
    /// The running children, by offset; `nil` for one whose handle is not known yet.
    private var children: [Int: Child?] = [:]
    /// Results that wait for a consumer, by their place in the order of delivery.
    private var ready: [Int: Element] = [:]
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
        if case .running = phase, !isSourceEnded, startedCount - deliveredCount < limit { return .readSource }
        return takeDelivery().map(Step.deliver) ?? .wait
    }

    /// Enqueues a consumer, or returns what to deliver to it at once.
    package mutating func wait(_ consumer: Consumer) -> Delivery? {
        if let delivery = takeDelivery() { return delivery }
        consumers.append(consumer)
        return nil
    }

    private mutating func takeDelivery() -> Delivery? {
        if let element = ready.removeValue(forKey: deliveredCount) {
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
    }

    // MARK: Children

    /// There are no more futures to start.
    package mutating func sourceEnded() {
        isSourceEnded = true
    }

    /// Counts one more future as started, and returns its offset.
    package mutating func begin() -> Int {
        defer { startedCount += 1 }
        children.updateValue(nil, forKey: startedCount)
        return startedCount
    }

    /// Registers a child that has begun; false if it must be cancelled instead.
    package mutating func adopt(_ child: Child, at offset: Int) -> Bool {
        guard case .running = phase else { return false }
        if children[offset] != nil { children[offset] = child }
        return true
    }

    /// A child has ended.
    package mutating func finish(_ offset: Int, with result: Result<Success, any Error>) -> Effects {
        var effects = Effects()
        guard case .running = phase else { return effects }
        children[offset] = nil
        if stopsAtFailure, case .failure = result {
            phase = .failing((offset, result))
            effects.cancelledChildren = takeChildren()
            effects.dropped = takeOutOfOrder()
        } else {
            ready[order == .completion ? completedCount : offset] = (offset, result)
            completedCount += 1
        }
        serveConsumers(&effects)
        return effects
    }

    // MARK: Ending

    /// Nobody wants the rest: the consumer's task was cancelled, or its iterator was released.
    package mutating func cancel() -> Effects {
        var effects = Effects()
        switch phase {
        case .cancelled, .ended: return effects
        case .running where isSourceEnded && startedCount == deliveredCount: return effects
        case .running, .failing: phase = .cancelled
        }
        effects.cancelledChildren = takeChildren()
        effects.dropped = Array(ready.values)
        ready = [:]
        serveConsumers(&effects)
        return effects
    }

    private mutating func takeChildren() -> [Child] {
        defer { children = [:] }
        return children.values.compactMap(\.self)
    }

    /// Takes out the results that wait for an earlier one that will never arrive.
    private mutating func takeOutOfOrder() -> [Element] {
        var reachable: [Int: Element] = [:]
        var place = deliveredCount
        while let element = ready.removeValue(forKey: place) {
            reachable[place] = element
            place += 1
        }
        defer { ready = reachable }
        return Array(ready.values)
    }
}
