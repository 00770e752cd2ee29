import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange under several policies, in a random order, and what the server does with each request.
///
/// A unit of time is more than ten days, so that no real time limit, which the rest of a deadline becomes, is near. Hardly ever
/// do two things happen at the same instant: each has a part of a unit of its own.
struct PolicyProgram: Sendable, CustomStringConvertible {
    /// What stands above the adapters.
    enum Layer: Sendable, Hashable {
        case retry(attempts: Int)
        case deadline(Duration)
        case hedge(delay: Duration, copies: Int)
        case credentials
        case validation
        case observation

        /// Whether it may send a request more than once itself, or wait for something else.
        var isPlain: Bool { self == .validation || self == .observation }
    }

    /// What stands below.
    enum Decoration: Sendable, CaseIterable {
        case limit, circuit, coalescing
    }

    /// What comes of one request, and when.
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
        // Copies beside each other are sent in an order that a test can tell, if there is nothing in them that waits.
        if let hedge = layers.firstIndex(where: { if case .hedge = $0 { true } else { false } }),
            case .hedge(_, let copies) = layers[hedge], !layers[(hedge + 1)...].allSatisfy(\.isPlain)
        {
            layers[hedge] = .hedge(delay: Self.unit * 500, copies: copies)
        }
    }

    /// How many requests there are at once, at the most.
    var concurrency: Int {
        layers.reduce(1) { most, layer in if case .hedge(_, let copies) = layer { copies } else { most } }
    }

    var description: String {
        "\(layers) over \(decorations): \(fates.map { "\($0.kind) after \($0.latency)" }), \(failingRefreshes)"
    }
}

/// A server that does with each request, in their order, what a program says.
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
