public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TrafficRecording {
    /// One request, with its response or its failure.
    public struct Exchange: Sendable, Equatable {
        /// The request, as the dispatcher got it.
        public let request: Request
        /// How it ended.
        public let outcome: Outcome
    }

    /// How a request ended.
    public enum Outcome: Sendable, Equatable {
        /// A response, whatever its status. An `UnacceptableStatusError` is recorded as its response, with the body if
        /// the error has all of it: to get the error again, validate in the replay, too, as in
        /// `replayer.validating()`.
        case response(Response)
        /// A `TransferError` of this kind. An error of another type is recorded as the kind that it stands for: a
        /// `URLError` as that of its code, `DeadlineExceeded` as `timedOut`, and any other as `other`. Its
        /// `underlyingError` isn't recorded.
        case failure(TransferError.Kind)
    }

    /// A recorded request.
    public struct Request: Sendable, Equatable {
        /// The method.
        public let method: String
        /// The URL, without a user name, a password and a fragment, and with `<redacted>` for secrets in its query.
        public let url: URL
        /// The headers, with `<redacted>` for secrets.
        public let headers: [String: String]
        /// The body, with `<redacted>` for secrets in a form or in JSON.
        public let body: RecordedExchange.Body
    }

    /// A recorded response.
    public struct Response: Sendable, Equatable {
        /// The status.
        public let status: StatusCode
        /// The URL of the response, if it differs from that of the request, as after redirects. Nothing else is known of
        /// the last request: the `urlRequest` of a replayed response is the first one with this URL.
        public let url: URL?
        /// The headers, with `<redacted>` for secrets.
        public let headers: [String: String]
        /// The body, with `<redacted>` for secrets in JSON, 0 for secrets that are numbers, and a UUID of zeros for those
        /// that are UUIDs.
        public let body: RecordedExchange.Body
        /// The kind of the `TransferError` that a stream of this response fails with after its body, which is only a
        /// part then; `nil` if it doesn't fail.
        public let failure: TransferError.Kind?
    }
}

extension TrafficRecording.Exchange {
    /// An exchange as a file stores it; `nil` if there is nothing to replay.
    init?(_ exchange: RecordedExchange, _ redaction: HeaderRedaction) {
        guard let url = exchange.urlRequest.url?.forRecordings, let outcome = exchange.outcome else { return nil }
        self.init(exchange, of: url, outcome, RecordingRedaction(redaction))
    }

    private init?(
        _ exchange: RecordedExchange, of url: URL, _ outcome: RecordedExchange.Outcome, _ redaction: RecordingRedaction
    ) {
        let sent = redaction.redacted(exchange.urlRequest.allHTTPHeaderFields ?? [:], exchange.body, for: .request)
        request = TrafficRecording.Request(
            method: exchange.urlRequest.httpMethod ?? "GET", url: redaction.redacted(url), headers: sent.headers,
            body: sent.body)
        func replayed(
            _ answer: (response: URLResponse, body: RecordedExchange.Body), failure: TransferError.Kind? = nil
        ) -> TrafficRecording.Outcome {
            .response(TrafficRecording.Response(answer, to: exchange, of: url, redaction, failure: failure))
        }
        switch (outcome, exchange.brokenStream) {
        case (.response(let response, let body), _): self.outcome = replayed((response, body))
        // As that of a reader who stops: there is no error that would break it for another one.
        case (.cancelled, let stream?): self.outcome = replayed(stream)
        case (.cancelled, nil): return nil
        case (.failure(let error), let stream?):
            self.outcome = replayed(stream, failure: TransferError.Kind(replayOf: error))
        case (.failure(let error as UnacceptableStatusError), nil):
            let body = RecordedExchange.Body(error.excerpt, limit: exchange.errorBodyLimit)
            self.outcome = replayed((error.head.urlResponse, body))
        case (.failure(let error), nil): self.outcome = .failure(TransferError.Kind(replayOf: error))
        }
    }
}

extension TrafficRecording.Response {
    fileprivate init(
        _ answer: (response: URLResponse, body: RecordedExchange.Body), to exchange: RecordedExchange, of url: URL,
        _ redaction: RecordingRedaction, failure: TransferError.Kind?
    ) {
        let head = exchange.replayedHead(answer.response)
        let last = answer.response.url?.forRecordings
        let received = redaction.redacted(head.headers, answer.body, for: .response)
        self.init(
            status: StatusCode(rawValue: head.status), url: last == url ? nil : last.map(redaction.redacted),
            headers: received.headers, body: received.body, failure: failure)
    }
}

extension TransferError.Kind {
    /// The kind of the error that a replay throws for this one.
    fileprivate init(replayOf error: any Error) {
        self =
            switch error {
            case let error as TransferError: error.kind
            case is DeadlineExceeded: .timedOut
            default: TransferError(error, url: nil).kind
            }
    }
}

extension RecordedExchange {
    /// The status and the headers for a replay.
    fileprivate func replayedHead(_ response: URLResponse) -> (status: Int, headers: [String: String]) {
        // The response of another protocol, such as a file, has no status: it counts as a success.
        guard let http = response as? HTTPURLResponse else { return (200, [:]) }
        guard kind == .download, http.statusCode == 206, urlRequest.value(forHTTPHeaderField: "Range") == nil else {
            return (http.statusCode, http.headersByName)
        }
        // A resumed download: only the rest has come, but the recorded body is the whole file.
        return (200, http.headersByName.filter { !["content-range", "content-length"].contains($0.key.lowercased()) })
    }
}

extension URL {
    /// The URL as it is recorded and compared: without user name, password and fragment, which no request sends in it.
    /// So is that of a request that failed as its URL lacks the scheme or a slash.
    var forRecordings: URL {
        if let text = URLText.withoutMisreadUser(absoluteString), let url = URL(string: text) {
            return url.forRecordings
        }
        guard var components = URLComponents(url: withoutUserInfo, resolvingAgainstBaseURL: true) else { return self }
        components.fragment = nil
        return components.url?.absoluteURL ?? self
    }
}
