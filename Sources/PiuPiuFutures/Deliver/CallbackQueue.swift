/// What one family of callbacks still has to receive, in order: updates, then one outcome, then completion (contract
/// rule ORDER).
///
/// A pure value: it decides, and the caller runs what it returns. Nothing here depends on time or on threads.
@usableFromInline
package struct CallbackQueue<Success: Sendable, Callback: Sendable>: Sendable {
    private struct Entry: Sendable {
        /// Taken out when it runs, or when it isn't needed any more.
        var callback: Callback?
        let kind: CallbackKind
        let ticket: Ticket
    }

    /// What is in delivery beside an outcome.
    ///
    /// It is for the callbacks up to the `last` ticket, those that were there when it began: a callback that attaches
    /// itself again would get it for ever, and nothing after it would come.
    private enum Current: Sendable {
        case none
        /// `next` is the first ticket whose callback has not been called with it.
        case update(TransferUpdate, next: Ticket, last: Ticket)
        /// The value is available, and not every callback has been called with the outcome.
        case arrival(last: Ticket)
    }

    /// What most queues never have.
    private struct Rarities: Sendable {
        var updates = UpdateLine()
        var current = Current.none
        /// The error that one of several callbacks threw, kept until the others have been called with the value.
        var thrown: (any Error)?
        /// Errors, and the sources of updates, that are no longer needed. Releasing one may run any code, so the caller
        /// does it after it has released its lock.
        var leftovers: [any Sendable] = []
        /// For each kind, the index before which there is no entry of it.
        var starts = CallbackCounts()
    }

    /// The attached callbacks, in the order of their tickets.
    private var entries: [Entry] = []
    /// How many entries of each kind have not been taken out.
    private var counts = CallbackCounts()
    private var lastTicket: Ticket = 0
    private var outcome: FutureOutcome<Success>?
    private var isDelivering = false
    /// Whether a callback has been called with the outcome, or there was none to call.
    private var isOutcomeReported = false
    /// Whether an error that a callback threw has replaced the outcome.
    private var isOutcomeReplaced = false
    /// Whether a cancellation came after the outcome: only cancellation and completion callbacks follow.
    package private(set) var isSilenced = false
    /// Callbacks that are no longer needed. They are released as the leftovers are.
    private var discarded: [Callback] = []
    /// One element once it is needed: so a queue is small enough for an allocation that every thread frees without a
    /// lock.
    private var rarities: [Rarities] = []

    package init() {}

    /// Whether a new queue, made now with the outcome of the future, could replace this one.
    package var isSpent: Bool {
        outcome != nil && isIdle && !isSilenced && !isOutcomeReplaced && !hasThrown && !hasDiscarded
    }

    /// Whether nothing is attached.
    package var isEmpty: Bool { counts == CallbackCounts() }

    /// Whether ``takeDiscarded()`` or ``takeLeftovers()`` would return something.
    package var hasDiscarded: Bool { !discarded.isEmpty || hasLeftovers }

    private var hasLeftovers: Bool { !rarities.isEmpty && !rarities[0].leftovers.isEmpty }

    private var hasThrown: Bool { !rarities.isEmpty && rarities[0].thrown != nil }

    /// Whether ``beginDelivery()`` would return true.
    package var canBeginDelivery: Bool { !isDelivering && hasWork }

    /// Whether nothing is left to deliver, and nothing is in delivery.
    package var isIdle: Bool { isEmpty && !isDelivering }

    private var hasReceivers: Bool {
        counts[.update] + counts[.progress] > 0
    }

    /// Whether an update is due.
    private var hasDueUpdate: Bool {
        !rarities.isEmpty && hasReceivers && (!rarities[0].updates.isEmpty || hasReceiverOfCurrent)
    }

    // Not inlined: the queue would be copied for it, although most futures have no updates.
    @inline(never)
    private var hasReceiverOfCurrent: Bool {
        guard case .update(_, let next, let last) = rarities[0].current else { return false }
        return receiver(from: next, to: last) != nil
    }

    /// Whether something is due.
    package var hasWork: Bool {
        !isEmpty && (outcome != nil || hasDueUpdate)
    }

    /// Whether ``next()`` may give a callback to run; if not, it ends the delivery.
    package var hasDueCallback: Bool {
        if hasDueUpdate || hasThrown { return true }
        guard let outcome else { return false }
        return counts[Self.kind(of: outcome)] + counts[.completion] > 0
            || outcome.status == .success && counts[.progress] > 0
    }

    // MARK: Attaching

    /// Adds a callback; with `replacing` it replaces those of its kind (contract rule SLOT).
    package mutating func attach(_ callback: Callback, for kind: CallbackKind, replacing: Bool) {
        if replacing { discard(kind) }
        if entries.count >= 64, counts.sum < entries.count / 2 {
            entries.removeAll { $0.callback == nil }
            if !rarities.isEmpty { rarities[0].starts = CallbackCounts() }
        }
        lastTicket += 1
        // Most futures have two.
        if entries.isEmpty { entries.reserveCapacity(2) }
        entries.append(Entry(callback: callback, kind: kind, ticket: lastTicket))
        counts[kind] += 1
    }

    /// Discards every callback but the completions: an operator has taken this future over.
    package mutating func keepCompletionsOnly() {
        if counts.sum == counts[.completion] { return }
        for kind in CallbackKind.allCases where kind != .completion { discard(kind) }
    }

    /// Discards every callback.
    package mutating func keepNone() {
        if isEmpty { return }
        for kind in CallbackKind.allCases { discard(kind) }
    }

    /// Takes out the discarded callbacks, for the caller to release outside any lock.
    package mutating func takeDiscarded() -> [Callback] {
        defer { discarded = [] }
        return discarded
    }

    /// Takes out what else is no longer needed, for the same.
    package mutating func takeLeftovers() -> [any Sendable] {
        guard hasLeftovers else { return [] }
        defer { rarities[0].leftovers = [] }
        return rarities[0].leftovers
    }

    /// A later cancellation has found the future settled.
    package mutating func silence() { isSilenced = true }

    private mutating func makeRarities() {
        if rarities.isEmpty { rarities.append(Rarities()) }
    }

    private mutating func discard(_ kind: CallbackKind) {
        while let place = first(kind), let callback = take(at: place) { discarded.append(callback) }
    }

    /// How many entries are searched again rather than noted.
    private static var shortSearch: Int { 8 }

    /// The index of the first entry of a kind.
    private mutating func first(_ kind: CallbackKind) -> Int? {
        guard counts[kind] > 0 else { return nil }
        let start = rarities.isEmpty ? 0 : rarities[0].starts[kind]
        var place = start
        while entries[place].kind != kind || entries[place].callback == nil { place += 1 }
        if place > start, place >= Self.shortSearch {
            makeRarities()
            rarities[0].starts[kind] = place
        }
        return place
    }

    private mutating func take(at place: Int) -> Callback? {
        guard let callback = entries[place].callback.take() else { return nil }
        counts[entries[place].kind] -= 1
        return callback
    }

    /// The first index whose ticket is this one or a later one.
    private func place(of ticket: Ticket) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Changes of the future

    /// Asks for the right to deliver: true once, until ``next()`` says that it has finished.
    package mutating func beginDelivery() -> Bool {
        guard canBeginDelivery else { return false }
        isDelivering = true
        return true
    }

    /// Enqueues an update, if a callback will receive it.
    package mutating func enqueue(_ update: TransferUpdate) {
        guard outcome == nil, hasReceivers else { return }
        makeRarities()
        rarities[0].updates.append(update)
    }

    /// Sets the outcome. A cancelled future delivers no more updates.
    ///
    /// - Parameter isReported: whether callbacks have already been called with it.
    package mutating func settle(_ outcome: FutureOutcome<Success>, isReported: Bool = false) {
        guard self.outcome == nil else { return }
        isOutcomeReported = isReported
        self.outcome = outcome
        if isCancelled || !hasReceivers { dropUpdates() }
    }

    private mutating func dropUpdates() {
        guard !rarities.isEmpty else { return }
        removeUpdates()
        endCurrent()
    }

    private mutating func removeUpdates() {
        if !rarities[0].updates.isEmpty { rarities[0].leftovers += rarities[0].updates.removeAll() }
    }

    /// What is in delivery beside an outcome is no longer needed.
    private mutating func endCurrent() {
        if case .update(let update, _, _) = rarities[0].current { retire(update) }
        rarities[0].current = .none
    }

    /// An update is no longer needed.
    private mutating func retire(_ update: TransferUpdate) {
        if let source = update.foreignSource { rarities[0].leftovers.append(source) }
    }

    /// Turns an outcome that is not delivered yet into a cancellation, and drops the waiting updates (contract rule
    /// AFTER-CANCEL).
    ///
    /// - Returns: that outcome, if there was one, and the error that waited to replace it, as it is, for the caller to
    ///   release outside its lock: the release of an error that a callback threw may run any code.
    package mutating func cancelUndelivered() -> [FutureOutcome<Success>] {
        adoptThrown()
        guard let outcome else { return [] }
        isSilenced = true
        dropUpdates()
        let isLateForSomebody = counts[Self.kind(of: outcome)] > 0
        let isLateForAll = counts[.completion] > 0 || outcome.status == .success && counts[.progress] > 0
        guard isLateForSomebody || !isOutcomeReported && isLateForAll else { return [] }
        self.outcome = .cancelled
        return [outcome] + (takeThrown().map { [.failure($0)] } ?? [])
    }

    /// Makes the error that a success callback threw the outcome (contract rule THROW).
    ///
    /// - Parameter mustWait: whether the other success callbacks are called with the value first.
    /// - Returns: false if the error doesn't count, as after a cancellation.
    package mutating func callbackThrew(_ error: any Error, mustWait: Bool = false) -> Bool {
        guard case .success = outcome, !isSilenced else { return false }
        makeRarities()
        if !hasThrown { rarities[0].thrown = error }
        adoptThrown(inAnyCase: !mustWait)
        return true
    }

    private mutating func takeThrown() -> (any Error)? { rarities.isEmpty ? nil : rarities[0].thrown.take() }

    private mutating func adoptThrown(inAnyCase: Bool = false) {
        guard inAnyCase || counts[.success] == 0, case .success = outcome,
            let thrown = takeThrown()
        else { return }
        outcome = FutureOutcome(failure: thrown)
        isOutcomeReplaced = true
        // A cancellation doesn't retain its error. (The value that is replaced here is still that of the future.)
        if isCancelled { rarities[0].leftovers.append(thrown) }
    }

    // MARK: Delivering

    /// What to run for a step, asked for where the callback runs; `nil` if a cancellation came in between.
    package mutating func call(for step: Step) -> Call? {
        switch step {
        case .here(let call): call
        case .update(let update, let callback): isCancelled || isSilenced ? nil : .update(update, callback)
        case .arrival(let callback), .completion(let callback): .plain(callback)
        case .outcome(let callback, let ticket): claim(ticket).map { .outcome($0, callback) }
        case .finished: nil
        }
    }

    /// Takes out the callback that is about to run.
    ///
    /// - Returns: the outcome to run it with; `nil` if a cancellation came in between.
    package mutating func claim(_ ticket: Ticket) -> FutureOutcome<Success>? {
        let place = place(of: ticket)
        guard let outcome, place < entries.count, entries[place].ticket == ticket,
            entries[place].kind == Self.kind(of: outcome), take(at: place) != nil
        else { return nil }
        isOutcomeReported = true
        return outcome
    }

    /// Whether the future was cancelled: nothing that was enqueued before is delivered.
    private var isCancelled: Bool {
        if case .cancelled = outcome { true } else { false }
    }

    /// Returns what to run next.
    ///
    /// - Parameter runsHere: whether the caller can run this callback here and now.
    package mutating func next(runsHere: (Callback) -> Bool = { _ in false }) -> Step {
        while let (update, next, last) = nextUpdate() {
            if let entry = receiver(from: next, to: last), let callback = entry.callback {
                rarities[0].current = .update(update, next: entry.ticket + 1, last: last)
                return runsHere(callback) ? .here(.update(update, callback)) : .update(update, callback)
            }
            retire(update)
            rarities[0].current = .none
        }
        adoptThrown()
        guard let outcome else { return finish() }
        if case .success = outcome, !isSilenced, let callback = takeForArrival() {
            return runsHere(callback) ? .here(.plain(callback)) : .arrival(callback)
        }
        if let place = first(Self.kind(of: outcome)), let callback = entries[place].callback {
            guard runsHere(callback) else { return .outcome(callback, entries[place].ticket) }
            _ = take(at: place)
            isOutcomeReported = true
            return .here(.outcome(outcome, callback))
        }
        isOutcomeReported = true
        if !rarities.isEmpty { rarities[0].current = .none }
        if let place = first(.completion), let callback = take(at: place) {
            // A callback that was not called with the outcome must not be called with a later cancellation.
            keepCompletionsOnly()
            return runsHere(callback) ? .here(.plain(callback)) : .completion(callback)
        }
        keepNone()
        return finish()
    }

    /// The update in delivery, or the next one, which is for all that are attached now.
    private mutating func nextUpdate() -> (TransferUpdate, next: Ticket, last: Ticket)? {
        guard !rarities.isEmpty else { return nil }
        if case .update(let update, let next, let last) = rarities[0].current { return (update, next, last) }
        if !hasReceivers {
            removeUpdates()
            return nil
        }
        return rarities[0].updates.popFirst().map { ($0, next: 0, last: lastTicket) }
    }

    /// The first callback for updates with one of these tickets.
    private func receiver(from next: Ticket, to last: Ticket) -> Entry? {
        let entry = entries[place(of: next)...].first { $0.kind.hearsUpdates && $0.callback != nil }
        return entry.flatMap { $0.ticket <= last ? $0 : nil }
    }

    /// Takes out a callback to tell that the value is available.
    private mutating func takeForArrival() -> Callback? {
        guard let place = first(.progress) else { return nil }
        makeRarities()
        if case .arrival(let last) = rarities[0].current {
            guard entries[place].ticket <= last else { return nil }
        } else {
            rarities[0].current = .arrival(last: lastTicket)
        }
        return take(at: place)
    }

    private mutating func finish() -> Step {
        isDelivering = false
        return .finished
    }

    private static func kind(of outcome: FutureOutcome<Success>) -> CallbackKind {
        switch outcome {
        case .success: .success
        case .failure: .failure
        case .cancelled: .cancellation
        }
    }
}
