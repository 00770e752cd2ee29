/// A promise that has ended, and has yet to tell those that wait for it.
protocol ResolvedPromise: AnyObject {
    /// Calls the next in line.
    func deliverNext() -> DeliveryStep
}

/// What became of one step of a delivery.
enum DeliveryStep {
    /// One was called, and another promise may have ended with that, whose callbacks come first.
    case called((any ResolvedPromise)?)
    /// All have been called.
    case finished
}

/// Tells all that wait for a promise how it ended, in the order in which they came, on this thread.
///
/// The promises of a chain are worked off one after the other, depth first as nested calls would, but on a stack of
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
