public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A mock that answers with what was recorded: files of real responses, served without a network.
///
/// ```swift
/// let dispatcher = ReplayingDispatcher(try TrafficRecording(contentsOf: file))
/// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value
/// ```
///
/// A request is answered by a recording of the same method and URL; the fragment, a user name and a password in the URL
/// make no difference, and headers don't either. Of several such recordings the first is for the first request, the
/// second for the second.
///
/// A `Sendable` value; its copies share how many requests there were, so make one for each test.
public struct ReplayingDispatcher: MockDispatcher {
    /// What makes a recording the one for a request.
    public enum Matching: Sendable, Hashable {
        /// Method and URL.
        case methodAndURL
        /// Method, URL and body. JSON is compared by its meaning: spaces and the order of keys make no difference. A body
        /// that was not recorded matches any.
        case methodURLAndBody
    }

    /// What is served.
    public let recording: TrafficRecording

    private let matching: Matching
    private let afterLast: MockScript.AfterLast
    private let latency: Duration
    private let clock: any Clock<Duration>

    /// How many requests there were for the recordings with these numbers.
    private let requestCounts = Locked<[[Int]: Int]>([:])

    /// Makes a dispatcher.
    ///
    /// - Parameters:
    ///   - recording: what is served.
    ///   - matching: what makes a recording the one for a request.
    ///   - afterLast: what a request gets when all recordings for it were served.
    ///   - latency: how long each answer takes.
    ///   - clock: what measures the latency. A test hands over a clock of its own and needs no real time.
    public init(
        _ recording: TrafficRecording, matching: Matching = .methodAndURL,
        afterLast: MockScript.AfterLast = .repeatLast, latency: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.recording = recording
        self.matching = matching
        self.afterLast = afterLast
        self.latency = latency
        self.clock = clock
    }

    /// What was recorded for the request.
    ///
    /// - Throws: ``ReplayError`` if there is nothing, `RequestError.missingURL` if the request has no URL, the
    ///   `TransferError` that was recorded, and a `CancellationError` as soon as the task is cancelled.
    public func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
        let question = try ReplayQuestion(urlRequest, comparesBody: matching == .methodURLAndBody)
        let outcome = try outcome(for: question)
        try await clock.sleep(latency: latency)
        switch outcome {
        case .failure(let kind): throw TransferError(kind, url: question.url)
        case .response(let recorded): return try response(recorded, to: urlRequest, question)
        }
    }

    /// The recording whose turn it is.
    private func outcome(for question: ReplayQuestion) throws -> TrafficRecording.Outcome {
        let exchanges = recording.exchanges
        let fitting = exchanges.indices.filter { question.differences(from: exchanges[$0].request).isEmpty }
        guard !fitting.isEmpty else {
            throw ReplayError.noRecording(
                method: question.method, url: question.url, nearest: question.nearest(in: exchanges.map(\.request)))
        }
        let place = requestCounts.withLock { counts in
            defer { counts[fitting, default: 0] += 1 }
            return counts[fitting, default: 0]
        }
        guard let index = fitting.element(at: place, afterLast: afterLast) else {
            throw ReplayError.usedUp(method: question.method, url: question.url, recordingCount: fitting.count)
        }
        return exchanges[index].outcome
    }

    private func response(
        _ recorded: TrafficRecording.Response, to urlRequest: URLRequest, _ question: ReplayQuestion
    ) throws -> Response<Data?> {
        var answered = urlRequest
        if let url = recorded.url { answered.url = url }
        let response = Response.makeMockResponse(
            with: answered, data: recorded.body.data, statusCode: recorded.status, headers: recorded.headers)
        // The body of an error is of no use to a download; anything else would be wrong without it.
        if recorded.body == .omitted, response.urlResponse.bringsFile {
            throw ReplayError.bodyNotRecorded(method: question.method, url: question.url)
        }
        return response
    }
}
