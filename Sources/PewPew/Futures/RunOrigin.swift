/// What has led to the start of a run.
enum RunOrigin: Sendable {
    /// A call from outside: outcomes are delivered inside the calls that settle.
    case send
    /// A callback that made the future, in a delivery, which goes on when the action has returned.
    case delivery
}
