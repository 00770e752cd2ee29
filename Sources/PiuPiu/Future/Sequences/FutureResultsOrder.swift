/// In which order the results of several futures are given.
@usableFromInline
package enum FutureResultsOrder: Sendable {
    /// As they come.
    case completion
    /// As the futures stand in their sequence.
    case sequence
}
