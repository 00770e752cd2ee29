/// What a callback waits for.
@usableFromInline
package enum CallbackKind: Sendable, Hashable {
    case update, success, failure, cancellation, completion
    /// For updates, and once more when the value is there, before whoever waits for that.
    case progress

    fileprivate var hearsUpdates: Bool { self == .update || self == .progress }
}

/// What is still to be delivered to one family of callbacks, and in which order: updates, then one outcome, then
/// completion (contract rule ORDER).
///
/// A pure value: it decides, and the caller runs what it returns. Nothing here depends on time or on threads.
@usableFromInline
package struct CallbackQueue<Success: Sendable, Callback: Sendable>: Sendable {
    /// What to do next.
    @usableFromInline
    package enum Step: Sendable {
        /// Run these with the update.
        case update(TransferUpdate, [Callback])
        /// Run this, as the value is there, before any other is told of it.
        case arrival(Callback)
        /// Run this with the outcome, if ``claim(_:)`` still grants it where the callback runs.
        case outcome(FutureOutcome<Success>, Callback, Ticket)
        /// Run this.
        case completion(Callback)
        /// Nothing is due before ``hasWork`` becomes true.
        case wait
        /// All is delivered; nothing more is due.
        case finished
    }

    /// Names one attached callback.
    @usableFromInline
    package typealias Ticket = UInt64

    private struct Entry: Sendable {
        let ticket: Ticket
        let kind: CallbackKind
        let callback: Callback
    }

    private var entries: [Entry] = []
    private var updates = FirstInFirstOut<TransferUpdate>()
    private var outcome: FutureOutcome<Success>?
    private var isDelivering = false
    /// Whether a callback has been told of the outcome, or there was none to tell.
    private var isOutcomeTold = false
    /// Whether a cancellation came after the outcome: nothing but a cancellation and the completion follows.
    private var isSilenced = false
    /// Callbacks that are not wanted any more. Letting go of one may run anything, so it is left to the caller, who
    /// holds a lock now.
    private var discarded: [Callback] = []
    private var lastTicket: Ticket = 0

    package init() {}

    /// Whether anything is attached.
    package var isEmpty: Bool { entries.isEmpty }

    /// Whether ``next()`` would give something other than ``Step/wait``.
    package var hasWork: Bool { outcome != nil || !updates.isEmpty }

    /// Adds a callback; with `replacing` it takes the place of those of its kind (contract rule SLOT).
    package mutating func attach(_ callback: Callback, for kind: CallbackKind, replacing: Bool) {
        if replacing { discard { $0.kind == kind } }
        lastTicket += 1
        entries.append(Entry(ticket: lastTicket, kind: kind, callback: callback))
    }

    /// Lets go of every callback but the completions: an operator has taken this future over.
    package mutating func keepCompletionsOnly() {
        discard { $0.kind != .completion }
    }

    /// Takes out the callbacks that are to be let go of, outside any lock.
    package mutating func takeDiscarded() -> [Callback] {
        defer { discarded = [] }
        return discarded
    }

    private mutating func discard(where isUnwanted: (Entry) -> Bool) {
        discarded += entries.filter(isUnwanted).map(\.callback)
        entries.removeAll(where: isUnwanted)
    }

    /// Asks for the right to deliver: true once, until ``next()`` says that it has finished.
    package mutating func beginDelivery() -> Bool {
        guard !isDelivering, !entries.isEmpty else { return false }
        isDelivering = true
        return true
    }

    /// Queues an update, if there is somebody for it.
    package mutating func enqueue(_ update: TransferUpdate) {
        guard outcome == nil, entries.contains(where: { $0.kind.hearsUpdates }) else { return }
        updates.append(update)
    }

    /// Takes the outcome. A cancelled future makes no more updates.
    package mutating func settle(_ outcome: FutureOutcome<Success>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        if case .cancelled = outcome { updates.removeAll() }
    }

    /// Turns an outcome that the callbacks have not been told of yet into a cancellation, and drops the updates that
    /// wait (contract rule AFTER-CANCEL).
    ///
    /// - Returns: whether there was such an outcome.
    package mutating func cancelUndelivered() -> Bool {
        guard let outcome else { return false }
        isSilenced = true
        updates.removeAll()
        let isLateForSomebody = entries.contains { $0.kind == Self.kind(of: outcome) }
        guard isLateForSomebody || !isOutcomeTold && !entries.isEmpty else { return false }
        self.outcome = .cancelled
        return true
    }

    /// What a success callback threw is the outcome from now on (contract rule THROW).
    ///
    /// - Returns: whether it is: nothing follows a cancellation.
    package mutating func callbackThrew(_ error: any Error) -> Bool {
        guard case .success = outcome, !isSilenced else { return false }
        outcome = FutureOutcome(failure: error)
        return true
    }

    /// Takes out the callback that is about to run with the outcome; false if a cancellation came in between.
    package mutating func claim(_ ticket: Ticket) -> Bool {
        guard let outcome, let index = entries.firstIndex(where: { $0.ticket == ticket }),
            entries[index].kind == Self.kind(of: outcome)
        else { return false }
        entries.remove(at: index)
        isOutcomeTold = true
        return true
    }

    /// Whether what was queued before is not to be delivered any more.
    package var isCancelled: Bool {
        if case .cancelled = outcome { true } else { false }
    }

    /// Says what is to be run next.
    package mutating func next() -> Step {
        if !updates.isEmpty {
            let receivers = entries.filter { $0.kind.hearsUpdates }.map(\.callback)
            if !receivers.isEmpty, let update = updates.popFirst() { return .update(update, receivers) }
            updates.removeAll()
        }
        guard let outcome else { return .wait }
        if case .success = outcome, !isSilenced, let index = entries.firstIndex(where: { $0.kind == .progress }) {
            return .arrival(entries.remove(at: index).callback)
        }
        if let entry = entries.first(where: { $0.kind == Self.kind(of: outcome) }) {
            return .outcome(outcome, entry.callback, entry.ticket)
        }
        isOutcomeTold = true
        if let index = entries.firstIndex(where: { $0.kind == .completion }) {
            return .completion(entries.remove(at: index).callback)
        }
        discard { _ in true }
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
