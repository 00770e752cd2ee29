/// Why a connection isn't used any more.
enum ConnectionEnd: Error {
    /// The client has left or finished, or the server stops.
    case gone
    /// The reply says so.
    case close
    /// The reply says so.
    case reset
    /// The request can't be understood or is too large: answered with this status.
    case rejected(Int)
}
