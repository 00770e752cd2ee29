/// What is measured over the network, and what PiuPiu wants to reach in it.
enum HTTPScenarios {
    static let all: [any Scenario] = [
        HTTPRequestScenario(
            name: "http-sequential", work: .smallResponse, inFlight: 1, count: 400,
            targets: piuPiu(
                .rateAtLeast(3.2, timesContender: bare), .processorTimeAtMost(0.28, timesContender: bare),
                .rateAtLeast(1, timesContender: peer))),
        HTTPRequestScenario(
            name: "http-100-in-flight", work: .smallResponse, inFlight: 100, count: 2_000,
            targets: piuPiu(
                .rateAtLeast(6, timesContender: bare), .processorTimeAtMost(0.2, timesContender: bare),
                .rateAtLeast(1.1, timesContender: peer), .processorTimeAtMost(0.75, timesContender: peer))),
        HTTPRequestScenario(
            name: "http-1000-in-flight", work: .smallResponse, inFlight: 1_000, count: 3_000,
            targets: piuPiu(
                .rateAtLeast(6, timesContender: bare), .processorTimeAtMost(0.19, timesContender: bare))),
        HTTPPolicyScenario(name: "http-policies", inFlight: 100, targetRate: 0.97),
        HTTPRequestScenario(name: "http-json", work: .decodedPosts, inFlight: 100, count: 600, targets: [:]),
        HTTPRequestScenario(
            name: "http-post-json", work: .postedJSON, inFlight: 100, count: 2_000,
            targets: piuPiu(.rateAtLeast(4, timesContender: bare))),
        HTTPTransferScenario(
            name: "http-download-memory", direction: .downloadToMemory,
            targets: piuPiu(.rateAtLeast(2, timesContender: bare))),
        HTTPTransferScenario(
            name: "http-download-file", direction: .downloadToFile,
            targets: piuPiu(.rateAtLeast(1.3, timesContender: bare))),
        HTTPTransferScenario(
            name: "http-upload-memory", direction: .uploadFromMemory,
            targets: piuPiu(.rateAtLeast(4, timesContender: bare))),
        HTTPTransferScenario(
            name: "http-upload-file", direction: .uploadFromFile,
            targets: piuPiu(.rateAtLeast(10, timesContender: bare))),
        HTTPLatencyScenario(name: "http-latency-memory", download: .downloadToMemory, targetRatio: 1.3),
        HTTPLatencyScenario(name: "http-latency-file", download: .downloadToFile, targetRatio: 1.3),
    ]

    private static let bare = BareURLSessionContender.standardName
    private static let peer = AsyncHTTPClientContender.standardName

    private static func piuPiu(_ targets: Target...) -> [String: [Target]] {
        [PiuPiuContender.standardName: targets]
    }
}
