/// What ends a join.
@usableFromInline
package enum JoinPolicy: Sendable {
    /// The first failure, or the last value.
    case all
    /// The first end.
    case first
    /// The first value, or the last failure.
    case firstSuccess
}
