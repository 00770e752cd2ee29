import PiuPiu
import TestSupport

/// One update of a node, with the node and the update's place among the node's updates.
struct RandomProgramUpdate: Hashable, Sendable {
    /// A source whose updates always come too late.
    static let tooLate = -1

    let source: Int
    let place: Int
    let stage: TransferUpdate.Stage

    init(_ update: TransferUpdate) {
        source = Int(update.progress.bytesSent)
        place = Int(update.progress.bytesReceived)
        stage = update.stage
    }

    /// How many updates a node makes before it settles.
    static func count(of work: RandomProgram.Work) -> Int {
        switch work {
        case .action(.hurries(let count, _, _)): count
        case .action(.settles), .action(.settlesLater), .action(.settlesAndThrows): 4
        default: 0
        }
    }

    /// The stage of an update: the stages come in order, each once.
    static func stage(of place: Int, among count: Int) -> TransferUpdate.Stage {
        let stages: [TransferUpdate.Stage] = [.started, .sent, .responded, .received]
        return stages[min(place * stages.count / max(count, 1), stages.count - 1)]
    }

    /// The last update of each stage, for callbacks attached before the start.
    static func lastOfStages(among count: Int) -> Set<Int> {
        Set((0..<count).filter { $0 == count - 1 || stage(of: $0, among: count) != stage(of: $0 + 1, among: count) })
    }
}

extension ResponseFuture<Int> {
    /// Makes updates, as fast as it can.
    func hurry(_ count: Int, for node: Int) {
        for place in 0..<count {
            let progress = TransferProgress(bytesSent: Int64(node), bytesReceived: Int64(place))
            update(with: TransferUpdate(stage: RandomProgramUpdate.stage(of: place, among: count), progress: progress))
        }
    }

    /// Makes some updates, and settles the future with each of the endings (contract rule SETTLE).
    func settle(_ endings: [RandomProgram.Ending], for node: Int) {
        hurry(4, for: node)
        for ending in endings { settle(ending) }
    }

    func settle(_ ending: RandomProgram.Ending) {
        switch ending {
        case .value(let value): succeed(with: value)
        case .error(let number): fail(with: Mishap(number: number))
        case .cancelled: cancel()
        }
    }
}
