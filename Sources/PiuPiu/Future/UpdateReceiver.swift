/// Whoever is told of the updates of a running future: the run that observes it, and through it that run's callbacks.
@usableFromInline
package protocol UpdateReceiver: AnyObject, Sendable {
    /// Takes an update, from any thread; updates made one after the other arrive in that order.
    func receive(_ update: TransferUpdate)
}
