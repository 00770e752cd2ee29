/// The order in which the results of several futures are delivered.
@usableFromInline
package enum FutureResultsOrder: Sendable {
    /// As the futures settle.
    case completion
    /// In the order of the futures in their sequence.
    case sequence
}
