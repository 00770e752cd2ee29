import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under several policies in random order, and the server's answer to each request.
///
/// A unit of time is more than ten days: the rest of a deadline becomes a real time limit, which must never run out.
/// Each event has its own fraction of a unit, so that two hardly ever coincide.
struct PolicyProgram: Sendable, CustomStringConvertible {
    /// A policy above the adapters.
    enum Layer: Sendable, Hashable {
        case retry(attempts: Int)
        case deadline(Duration)
        case hedge(delay: Duration, copies: Int)
        case credentials
        case validation
        case observation

        /// Whether it neither sends a request more than once, nor waits for something else.
        var isPlain: Bool { self == .validation || self == .observation }
    }

    /// A decoration of the engine below.
    enum Decoration: Sendable, CaseIterable {
        case limit, circuit, coalescing
    }

    /// How one request ends, and when.
    struct Fate: Sendable {
        static let kinds = ["200", "404", "401", "500", "429", "timedOut", "tooManyRedirects"]

        var latency: Duration
        var kind: String
    }

    static let unit = Duration.seconds(1_000_000)
    static let mostRequests = 14
    static let refreshLatency = unit * 3 + .seconds(10)
    static let refreshLimit = unit * 1000

    /// The outermost first.
    var layers: [Layer] = []
    /// The lowest first.
    var decorations: [Decoration] = []
    var fates: [Fate] = []
    /// Which refreshes of the credential fail, in turn.
    var failingRefreshes: [Bool] = []

    init(using random: inout SeededGenerator) {
        let all: [Layer] = [
            .retry(attempts: Int.random(in: 1...4, using: &random)),
            .deadline(Self.unit * Int.random(in: 1...30, using: &random) + .seconds(20)),
            .hedge(
                delay: Self.unit * Int.random(in: 1...8, using: &random), copies: Int.random(in: 1...3, using: &random)),
            .credentials, .validation, .observation, .retry(attempts: Int.random(in: 1...4, using: &random)),
        ]
        layers = all.shuffled(using: &random).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
        let decorations = Decoration.allCases.shuffled(using: &random)
        self.decorations = decorations.filter { _ in Bool.random(using: &random) }
        fates = (0..<Self.mostRequests).map { number in
            Fate(
                latency: Self.unit * Int.random(in: 1...9, using: &random) + .seconds(40) * (1 << number),
                kind: Fate.kinds.randomElement(using: &random) ?? "200")
        }
        failingRefreshes = (0..<5).map { _ in Int.random(in: 0..<4, using: &random) == 0 }
        // A test can tell the order of concurrent copies only if nothing inside them waits.
        if let hedge = layers.firstIndex(where: { if case .hedge = $0 { true } else { false } }),
            case .hedge(_, let copies) = layers[hedge], !layers[(hedge + 1)...].allSatisfy(\.isPlain)
        {
            layers[hedge] = .hedge(delay: Self.unit * 500, copies: copies)
        }
    }

    /// How many requests are in flight at most.
    var concurrency: Int {
        layers.reduce(1) { most, layer in if case .hedge(_, let copies) = layer { copies } else { most } }
    }

    var description: String {
        "\(layers) over \(decorations): \(fates.map { "\($0.kind) after \($0.latency)" }), \(failingRefreshes)"
    }
}

/// A server that answers each request, in order, as a program says.
struct ProgramEngine: AsyncTransferEngine {
    let exchanges = RunningExchanges()
    let sent = Counter()
    let clock: ManualClock
    let fates: [PolicyProgram.Fate]

    func exchange(
        _ request: TransferRequest, body: TransferChunks?
    ) async throws -> (TransferHead, AsyncThrowingStream<Data, any Error>) {
        let fate = fates[(sent.increment() - 1) % fates.count]
        try await clock.sleep(for: fate.latency)
        guard let url = request.urlRequest.url else { throw TransferError(.other) }
        switch fate.kind {
        case "timedOut": throw TransferError(.timedOut)
        case "tooManyRedirects": throw TransferError(.tooManyRedirects)
        default: break
        }
        return (TransferHead(url: url, status: Int(fate.kind) ?? 0), AsyncThrowingStream { $0.finish() })
    }
}
