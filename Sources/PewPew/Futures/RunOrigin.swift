/// The reason for the start of a run.
enum RunOrigin: Sendable {
    /// A call from outside: outcomes are delivered inside the calls that settle.
    case send
    /// A callback made the future during a delivery, or sent it again. The delivery goes on when the action has
    /// returned.
    case delivery
}
