import Dispatch
import PiuPiu

/// The ways in which one future can be a part of another.
enum Part: CaseIterable, Sendable {
    case parent, queued, head, side, element, racer, candidate, source, inner

    /// Those that begin inside the `send()` of the whole.
    static let synchronous = allCases.filter { $0 != .inner }

    /// Those with another part before them.
    static let second: [Part] = [.side, .element, .racer, .candidate]

    /// A future that contains `part` in this way. If it has two parts, `other` comes before `part`, except for a head,
    /// where it comes after.
    func whole(
        of part: consuming ResponseFuture<Int>, beside other: consuming ResponseFuture<Int>
    ) -> ResponseFuture<Int> {
        switch self {
        case .parent: return (consume part).then { $0 }
        case .queued: return (consume part).then(on: .global()) { $0 }
        case .head: return (consume part).join(consume other).then { $0.0 }
        case .side: return (consume other).join(consume part).then { $0.1 }
        case .element:
            return ResponseFuture<[Int]>(childFutures: [consume other, consume part]).then { $0[1] }
        case .racer: return ResponseFuture.race([consume other, consume part])
        case .candidate: return ResponseFuture.firstSuccess(of: [consume other, consume part])
        case .source:
            let part = consume part
            return ResponseFuture<Int> { (target: ResponseFuture<Int>) in part.fulfill(target) }
        case .inner:
            let part = consume part
            return ResponseFuture(result: 0).flatMap { _ in part }
        }
    }
}
