/// A promise that has ended, and has observers left to notify.
protocol ResolvedPromise: AnyObject {
    /// Calls the next callback.
    func deliverNext() -> DeliveryStep
}

/// The result of one step of a delivery.
enum DeliveryStep {
    /// A callback was called. It may have ended another promise, whose callbacks come first.
    case called((any ResolvedPromise)?)
    /// All have been called.
    case finished
}

/// Notifies the observers of a promise of its outcome, in the order of their attachment, on this thread.
///
/// The promises of a chain are delivered one after the other, depth first as nested calls would, but on a stack of
/// constant size: a chain may have any length.
func deliver(_ promise: any ResolvedPromise) {
    var line = [promise]
    while let current = line.last {
        switch current.deliverNext() {
        case .called(let next?): line.append(next)
        case .called(nil): break
        case .finished: line.removeLast()
        }
    }
}
