public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A mock that answers with recorded responses, without a network.
///
/// ```swift
/// let dispatcher = ReplayingDispatcher(try TrafficRecording(contentsOf: file))
/// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value
/// ```
///
/// A recording answers a request of the same method and URL. It ignores headers, and the fragment, user name and
/// password in the URL. If several recordings match, the first request gets the first, the second request the second.
///
/// If some of them have the same body as the request, only those answer it, so concurrent requests may come in any
/// order. When all of those were served, the last of them repeats, or the request fails: it never gets a recording with
/// another body. A body that was not recorded, as that of every upload of chunks, is not the same as any. Neither is that
/// of a request with an `httpBodyStream`, which isn't read: if there are recordings whose body was not recorded, those
/// answer it.
///
/// A `Sendable` value. Its copies share the count of requests, so make one for each test.
public struct ReplayingDispatcher: MockDispatcher {
    /// How a recording is matched with a request.
    public enum Matching: Sendable, Hashable {
        /// Method and URL. If some recordings also have the same body, only those answer; otherwise all of them do.
        case methodAndURL
        /// Method, URL and body. JSON is compared by its meaning: spaces and the order of keys make no difference. The
        /// boundary of a multipart form makes none either. A body that was not recorded matches any body, unless there is
        /// a recording with the same one. Chunks are never recorded, nor is a form of `uploadFuture(from:withForm:)`: to
        /// compare forms, set them as the bodies of requests, with `setFormBody(_:)`. A request with an
        /// `httpBodyStream` matches any body, too, unless there is a recording whose body was not recorded.
        case methodURLAndBody
    }

    /// The recorded exchanges.
    public let recording: TrafficRecording

    /// The recorded requests, each with its body once that is parsed; shared by all copies.
    private let index: ReplayIndex
    private let matching: Matching
    private let afterLast: MockScript.AfterLast
    private let latency: Duration
    private let clock: any Clock<Duration>

    private struct State {
        /// How many requests there were, by the groups that match them.
        var requestCounts: [[Int]: Int] = [:]
        /// How many recordings of each group were served: the first ones.
        var servedCounts: [Int: Int] = [:]

        /// Counts a request. Returns the place of its recording among those that match it.
        mutating func place(in fitting: [Int]) -> Int {
            defer { requestCounts[fitting, default: 0] += 1 }
            return requestCounts[fitting, default: 0]
        }

        /// The next recording, where one request may be served from what matches another one: each comes once.
        mutating func nextUnserved(in fitting: [Int], of index: ReplayIndex) -> Int? {
            var first: (place: Int, group: Int)?
            for group in fitting {
                let places = index.groups[group].places, served = servedCounts[group, default: 0]
                if served < places.count, places[served] < first?.place ?? .max { first = (places[served], group) }
            }
            if let first { servedCounts[first.group, default: 0] += 1 }
            return first?.place
        }
    }

    private let state = Locked(State())

    /// Makes a dispatcher.
    ///
    /// - Parameters:
    ///   - recording: the recorded exchanges.
    ///   - matching: how a recording is matched with a request.
    ///   - afterLast: what a request gets when all recordings that answer it were served.
    ///   - latency: how long each answer takes.
    ///   - clock: measures the latency. With a ``ManualClock`` a test takes no real time.
    public init(
        _ recording: TrafficRecording, matching: Matching = .methodAndURL,
        afterLast: MockScript.AfterLast = .repeatLast, latency: Duration = .zero,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.recording = recording
        index = ReplayIndex(recording.exchanges)
        self.matching = matching
        self.afterLast = afterLast
        self.latency = latency
        self.clock = clock
    }

    /// The response that was recorded for the request.
    ///
    /// - Throws: ``ReplayError`` if there is none, `RequestError.missingURL` if the request has no URL, the
    ///   `TransferError` that was recorded, and a `CancellationError` as soon as the task is cancelled.
    public func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
        let (response, failure) = try await replay(of: urlRequest)
        if let failure { throw failure }
        return response
    }

    /// The response that was recorded for the request, with its body as a stream. If the recorded stream broke, this one
    /// fails after the same part.
    ///
    /// - Throws: the same errors, except for that of the recorded stream.
    public func streamAnswer(to urlRequest: URLRequest) async throws -> Response<StreamedBody> {
        let (response, failure) = try await replay(of: urlRequest)
        return Response(response: response, data: StreamedBody(of: response.data ?? Data(), failingWith: failure))
    }

    private func replay(of urlRequest: URLRequest) async throws -> (Response<Data?>, failure: TransferError?) {
        let question = try ReplayQuestion(urlRequest, comparesBody: matching == .methodURLAndBody)
        let outcome = try outcome(for: question, sameBody: try ReplayQuestion(urlRequest, comparesBody: true))
        try await clock.sleep(latency: latency)
        switch outcome {
        case .failure(let kind): throw TransferError(kind, url: question.url)
        case .response(let recorded):
            let failure = recorded.failure.map { TransferError($0, url: question.url) }
            return (try response(recorded, to: urlRequest, question), failure)
        }
    }

    /// The recording whose turn it is.
    private func outcome(
        for question: ReplayQuestion, sameBody: @autoclosure () throws -> ReplayQuestion
    ) throws -> TrafficRecording.Outcome {
        var fitting = question.groups(in: index)
        if matching == .methodURLAndBody || !question.knowsBody {
            // An unknown body, recorded or asked for, matches any, but known matches known better, and unknown unknown.
            let alike = fitting.filter { knowsBody(of: $0) == question.knowsBody }
            if !alike.isEmpty { fitting = alike }
        }
        guard !fitting.isEmpty else {
            throw ReplayError.noRecording(
                method: question.method, url: question.url, nearest: question.nearest(in: index.groups.map(\.request)))
        }
        if matching == .methodAndURL, fitting.count > 1, question.knowsBody {
            let sameBody = try sameBody()
            let same = fitting.filter { knowsBody(of: $0) && sameBody.matchesBody(of: index.groups[$0].request) }
            if !same.isEmpty { fitting = best(of: same) }
        } else if matching == .methodURLAndBody, question.knowsBody {
            fitting = best(of: fitting)
        }
        guard let next = next(in: fitting) else {
            let count = index.places(of: fitting).count
            throw ReplayError.usedUp(method: question.method, url: question.url, recordingCount: count)
        }
        return recording.exchanges[next].outcome
    }

    /// The place of the recording whose turn it is in these groups; `nil` if none is left.
    private func next(in fitting: [Int]) -> Int? {
        if matching == .methodAndURL {
            return state.withLock { $0.nextUnserved(in: fitting, of: index) }
                ?? index.places(of: fitting).element(at: .max, afterLast: afterLast)
        }
        let place = state.withLock { $0.place(in: fitting) }
        return index.places(of: fitting).element(at: place, afterLast: afterLast)
    }

    private func knowsBody(of group: Int) -> Bool { index.groups[group].request.request.body != .omitted }

    /// Of groups with the same body those with the same secrets: a value that was left out matches anything.
    private func best(of fitting: [Int]) -> [Int] {
        let exact = fitting.filter { !index.groups[$0].request.body.hasPlaceholder }
        return exact.isEmpty ? fitting : exact
    }

    private func response(
        _ recorded: TrafficRecording.Response, to urlRequest: URLRequest, _ question: ReplayQuestion
    ) throws -> Response<Data?> {
        var answered = urlRequest
        if let url = recorded.url { answered.url = url }
        let response = Response.makeMockResponse(
            with: answered, data: recorded.body.data, statusCode: recorded.status, headers: recorded.headers)
        // The response of a failure counts by its status; another one would be wrong without its body.
        if recorded.body == .omitted, response.urlResponse.bringsFile(to: answered) {
            throw ReplayError.bodyNotRecorded(method: question.method, url: question.url)
        }
        return response
    }
}
