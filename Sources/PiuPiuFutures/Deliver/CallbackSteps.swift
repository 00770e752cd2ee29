/// What a callback waits for.
@usableFromInline
package enum CallbackKind: Sendable, CaseIterable {
    case update, success, failure, cancellation, completion
    /// Called with each update, and once more when the value is available, before the success callback.
    case progress

    var hearsUpdates: Bool { self == .update || self == .progress }
}

extension CallbackQueue {
    /// What to do next. All but ``here(_:)`` is done where the callback runs: see ``call(for:)``.
    @usableFromInline
    package enum Step: Sendable {
        /// Run this, here and now.
        case here(Call)
        /// Run this with the update.
        indirect case update(TransferUpdate, Callback)
        /// Run this: the value is available, and no other callback has been called with it.
        case arrival(Callback)
        /// Run this with the outcome.
        case outcome(Callback, Ticket)
        /// Run this.
        case completion(Callback)
        /// Nothing is due: the delivery ends until the next ``beginDelivery()``.
        case finished
    }

    /// A callback to run, and what to call it with.
    @usableFromInline
    package enum Call: Sendable {
        indirect case update(TransferUpdate, Callback)
        case outcome(FutureOutcome<Success>, Callback)
        case plain(Callback)
    }

    /// Names one attached callback.
    @usableFromInline
    package typealias Ticket = Int
}
