public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One request that went through a ``RecordingDispatcher``, and its outcome.
public struct RecordedExchange: Sendable {
    /// Which of a dispatcher's futures it was.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A `dataFuture`.
        case data
        /// An `uploadFuture`.
        case upload
        /// A `downloadFuture`.
        case download
        /// A `streamFuture`.
        case stream
    }

    /// The body of a request or a response.
    public enum Body: Sendable, Hashable {
        /// There was none, or an empty one.
        case none
        /// The bytes.
        case data(Data)
        /// A body that was not kept: it was too large; it came in chunks or from an `httpBodyStream`; the file of a
        /// download couldn't be read; an error has only a part of it; or it has more than 4 KiB, and is that of a
        /// download that brought no file. Chunks are never kept, even if they can be sent several times, as those of
        /// `uploadFuture(from:withForm:)`. A form is kept if it is set as the body of the request, with
        /// `setFormBody(_:)`. A recording that leaves out secrets also leaves out the body of a request with a content
        /// coding (`Content-Encoding: gzip`), in which they aren't found.
        case omitted

        /// The bytes, if there were any and they were kept.
        public var data: Data? {
            if case .data(let data) = self { data } else { nil }
        }
    }

    /// How it ended.
    public enum Outcome: Sendable {
        /// With a response, whatever its status.
        case response(URLResponse, body: Body)
        /// With an error.
        case failure(any Error)
        /// It was cancelled.
        case cancelled
    }

    /// Which of a dispatcher's futures it was.
    public let kind: Kind

    /// The request as it was handed to the dispatcher: before its adapters, and before redirects.
    public let urlRequest: URLRequest

    /// What was sent with it: bytes, or the content of a small file.
    public let body: Body

    /// When it was sent, counted from when the recording dispatcher was made.
    public let start: Duration

    /// How long it took; `nil` while it runs.
    public internal(set) var duration: Duration?

    /// How it ended; `nil` while it runs.
    public internal(set) var outcome: Outcome?

    /// The head of a stream that broke or was cancelled, and the part of its body that was read.
    var brokenStream: (response: URLResponse, body: Body)?

    /// The longest body of an error that goes into a recording, in bytes.
    let errorBodyLimit: Int

    package init(
        kind: Kind, urlRequest: URLRequest, body: Body, start: Duration, errorBodyLimit: Int = .max
    ) {
        self.kind = kind
        self.urlRequest = urlRequest
        self.body = body
        self.start = start
        self.errorBodyLimit = errorBodyLimit
    }

    /// The status, if an HTTP response came; also of a stream that broke or was cancelled after its head.
    public var statusCode: StatusCode? {
        (answer?.response as? HTTPURLResponse).map { StatusCode(rawValue: $0.statusCode) }
    }

    /// The body of the response, if there is one and it was kept; of a stream the part that was read.
    public var responseData: Data? { answer?.body.data }

    private var answer: (response: URLResponse, body: Body)? {
        if case .response(let response, let body) = outcome { (response, body) } else { brokenStream }
    }

    /// The error, if it failed.
    public var error: (any Error)? {
        guard case .failure(let error) = outcome else { return nil }
        return error
    }
}

extension RecordedExchange: CustomStringConvertible, CustomReflectable {
    /// A line for a log: `GET https://example.com/posts/1: 200`. It leaves out headers, query and user name.
    public var description: String {
        let ending = outcome?.description ?? "running"
        return "\(ExchangeName(method: urlRequest.httpMethod ?? "GET", url: urlRequest.url)): \(ending)"
    }

    /// Nothing: the request, the bodies and the headers may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RecordedExchange.Outcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The outcome in a word: "200", "a response", the text of the error, or "cancelled".
    public var description: String {
        switch self {
        case .response(let response, _): (response as? HTTPURLResponse).map { String($0.statusCode) } ?? "a response"
        case .failure(let error): error.localizedDescription
        case .cancelled: "cancelled"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Empty: heads, bodies and errors may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RecordedExchange.Body {
    /// The body, or `omitted` if it is larger than `limit`.
    init(_ data: Data?, limit: Int) {
        guard let data, !data.isEmpty else {
            self = .none
            return
        }
        self = data.count <= limit ? .data(data) : .omitted
    }

    /// The content of a file, or `omitted` if it is larger than `limit`; `nil` if it can't be read.
    init?(contentOf file: URL, limit: Int) {
        // Nothing is read beyond the limit.
        guard let (handle, _) = try? RegularFile.open(file),
            let data = try? handle.chunk(upToCount: max(0, min(limit, Int.max - 1)) + 1)
        else { return nil }
        self.init(data, limit: limit)
    }

    /// The body of which this is an excerpt; `omitted` if that isn't all of it, or if it is larger than `limit`.
    init(_ excerpt: BodyExcerpt?, limit: Int) {
        guard let excerpt, excerpt.isWhole else {
            self = .omitted
            return
        }
        self.init(excerpt.data, limit: limit)
    }

    /// What was read of a stream; `nil` if that was too large to keep.
    init(read: Data?) {
        guard let read else {
            self = .omitted
            return
        }
        self = read.isEmpty ? .none : .data(read)
    }

    /// The body inside a request.
    init(of urlRequest: URLRequest, limit: Int) {
        self = urlRequest.httpBodyStream == nil ? Self(urlRequest.httpBody, limit: limit) : .omitted
    }

    /// The body of an upload.
    init(_ body: TransferBody, limit: Int) {
        switch body {
        case .none: self = .none
        case .data(let data): self.init(data, limit: limit)
        // The transfer reports a file that can't be read.
        case .file(let file): self = Self(contentOf: file, limit: limit) ?? .none
        case .chunks: self = .omitted
        }
    }
}
