/// One step of a running future, as an `updated` callback receives it.
///
/// A data request makes one update when it starts, one for each part of its body that was sent, one for the head of
/// the response and one for each chunk of the response's body.
public struct TransferUpdate: Sendable, Hashable {
    /// What has just happened.
    public enum Stage: Sendable, Hashable {
        /// The work was started.
        case started
        /// A part of the request's body was handed to the network.
        case sent
        /// The head of the response has arrived.
        case responded
        /// A chunk of the response's body has arrived.
        case received
    }

    /// What has just happened.
    public let stage: Stage

    /// How far the transfer has come.
    public let progress: TransferProgress

    /// Makes an update, for a future's own action to report through ``ResponseFuture/update(with:)-(TransferUpdate)``.
    public init(stage: Stage, progress: TransferProgress = TransferProgress()) {
        self.stage = stage
        self.progress = progress
    }
}
