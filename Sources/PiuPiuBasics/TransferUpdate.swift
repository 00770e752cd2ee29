/// One step of a running future, as an `updated` callback receives it.
///
/// A data request makes one update when it starts, one for each part of its body that was sent, one for the head of
/// the response and one for each chunk of the response's body.
public struct TransferUpdate: Sendable {
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
        /// A cache has the response: the following head and body come from it.
        case cacheHit
        /// An attempt failed, and another one follows after a wait: see ``RetryPolicy``. `attempt` is the number of the
        /// next attempt, 2 for the first retry. The progress starts over.
        case retrying(attempt: Int, after: Duration)
    }

    /// What has just happened.
    public let stage: Stage

    /// How far the transfer has come.
    public let progress: TransferProgress

    /// Identifies the transfer among several: the same object in each update of one.
    package var source: (any AnyObject & Sendable)?

    /// What an update that reports no progress says about its transfer.
    private enum Mark: Hashable {
        case end, refusal
    }

    private var mark: Mark?

    /// Whether it reports no progress.
    package var isMark: Bool { mark != nil }

    /// Whether this marks the end of its transfer. Such an update is no step, and for ``UpdateTask`` only.
    package var isEnd: Bool { mark == .end }

    /// Whether this says that the answer to the request is of no use. It is for no callback.
    package var isRefusal: Bool { mark == .refusal }

    /// Makes an update, for a future's own action to report through ``ResponseFuture/update(with:)-(TransferUpdate)``.
    public init(stage: Stage, progress: TransferProgress = TransferProgress()) {
        self.stage = stage
        self.progress = progress
    }
}

/// Two updates are equal if their stage and progress are, whatever their transfers.
extension TransferUpdate: Hashable {
    /// Whether both have the same stage and the same progress.
    public static func == (left: TransferUpdate, right: TransferUpdate) -> Bool {
        left.stage == right.stage && left.progress == right.progress
    }

    /// Feeds the stage and the progress into the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(stage)
        hasher.combine(progress)
    }
}

extension TransferUpdate {
    /// The end of a transfer.
    package static func end(of source: any AnyObject & Sendable) -> TransferUpdate {
        var update = TransferUpdate(stage: .received).of(source)
        update.mark = .end
        return update
    }

    /// The answer to the request is of no use: what follows waits for something else first.
    package static var refusal: TransferUpdate {
        var update = TransferUpdate(stage: .responded)
        update.mark = .refusal
        return update
    }

    /// The same update with this transfer as its source, unless it has one.
    package func of(_ source: any AnyObject & Sendable) -> TransferUpdate {
        guard self.source == nil else { return self }
        var update = self
        update.source = source
        return update
    }

    /// A step of a transfer, which many updates may report.
    package struct Step: Hashable {
        let stage: Stage
        let source: ObjectIdentifier?
        let isEnd: Bool
    }

    /// The step that this is an update of.
    package var step: Step {
        var stage = stage
        // One step, however many attempts there are.
        if case .retrying = stage { stage = .retrying(attempt: 0, after: .zero) }
        return Step(stage: stage, source: source.map { ObjectIdentifier($0) }, isEnd: isEnd)
    }

    /// Whether the other update belongs to the same step of the same transfer.
    package func isInStep(with other: TransferUpdate) -> Bool { step == other.step }
}

/// Identifies one transfer in its updates.
package final class TransferSource: Sendable {
    package init() {}
}
