/// Whoever is told of the updates of a running future: the run that observes it, and through it that run's callbacks.
@usableFromInline
package protocol UpdateReceiver: AnyObject, Sendable {
    /// Takes an update, and says who else wants to hear of it.
    func take(_ update: TransferUpdate) -> [any UpdateReceiver]
}

/// Stands for an awaiter to whom updates mean nothing.
final class NoReceiver: UpdateReceiver {
    func take(_ update: TransferUpdate) -> [any UpdateReceiver] { [] }
}

extension UpdateReceiver {
    /// Tells this receiver and all below it, each once, from any thread; updates made one after the other arrive in
    /// that order. A loop, as there may be a million below each other (contract rule DEPTH).
    @usableFromInline
    package func receive(_ update: TransferUpdate) {
        var next = take(update)
        guard !next.isEmpty else { return }
        var told: Set = [ObjectIdentifier(self)]
        while let receiver = next.popLast() {
            if told.insert(ObjectIdentifier(receiver)).inserted { next += receiver.take(update) }
        }
    }
}
