/// How far a transfer has come, by its last update.
package enum TransferStep: UInt8, Sendable {
    /// Nothing has begun, or the transfer starts over after a wait.
    case none
    case started
    case sentSome
    case sentAll
    case answered
    /// The answer is of no use: nothing is in flight until the request is sent again.
    case refused

    /// Whether a server has received a part of the request.
    package var wasSent: Bool {
        switch self {
        case .none, .started: false
        case .sentSome, .sentAll, .answered, .refused: true
        }
    }

    /// The step that an update reports.
    package init(of update: TransferUpdate) {
        let progress = update.progress
        guard !update.isRefusal else {
            self = .refused
            return
        }
        self =
            switch update.stage {
            case .started, .cacheHit: .started
            case .sent where progress.bytesSent >= progress.bytesExpectedToSend ?? .max: .sentAll
            case .sent: .sentSome
            case .responded, .received: .answered
            case .retrying: .none
            }
    }
}
