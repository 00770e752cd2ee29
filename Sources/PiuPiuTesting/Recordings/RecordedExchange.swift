public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One request that went through a ``RecordingDispatcher``, and what came of it.
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
        /// There may have been one, but it was too large to be kept, or could only be read once.
        case omitted

        /// The bytes, if there were some and they were kept.
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

    package init(kind: Kind, urlRequest: URLRequest, body: Body, start: Duration) {
        self.kind = kind
        self.urlRequest = urlRequest
        self.body = body
        self.start = start
    }

    /// The status of an HTTP response, if that is how it ended.
    public var statusCode: StatusCode? {
        guard case .response(let response as HTTPURLResponse, _) = outcome else { return nil }
        return StatusCode(rawValue: response.statusCode)
    }

    /// The body of the response, if it ended with one that was kept.
    public var responseData: Data? {
        guard case .response(_, let body) = outcome else { return nil }
        return body.data
    }

    /// The error that it failed with, if that is how it ended.
    public var error: (any Error)? {
        guard case .failure(let error) = outcome else { return nil }
        return error
    }
}

extension RecordedExchange: CustomStringConvertible {
    /// A line for a log: `GET https://example.com/posts/1: 200`. Without headers, query and user name.
    public var description: String {
        let ending =
            switch outcome {
            case nil: "running"
            case .response: statusCode.map { String($0.rawValue) } ?? "a response"
            case .failure(let error): error.localizedDescription
            case .cancelled: "cancelled"
            }
        return "\(ExchangeName(method: urlRequest.httpMethod ?? "GET", url: urlRequest.url)): \(ending)"
    }
}

extension RecordedExchange.Body {
    /// The body, or that it was larger than `limit`.
    init(_ data: Data?, limit: Int) {
        guard let data, !data.isEmpty else {
            self = .none
            return
        }
        self = data.count <= limit ? .data(data) : .omitted
    }

    /// The content of a file, or that it was larger than `limit`.
    init(contentOf file: URL, limit: Int) {
        // One that can't be read is for the transfer to complain about. No more is read than is kept.
        guard let (handle, _) = try? LocalResource.openRegularFile(file),
            let data = try? handle.read(upToCount: max(0, min(limit, Int.max - 1)) + 1)
        else {
            self = .none
            return
        }
        self.init(data, limit: limit)
    }

    /// What a request carries itself.
    init(of urlRequest: URLRequest, limit: Int) {
        self = urlRequest.httpBodyStream == nil ? Self(urlRequest.httpBody, limit: limit) : .omitted
    }

    /// What a request is uploaded with.
    init(_ body: TransferBody, limit: Int) {
        switch body {
        case .none: self = .none
        case .data(let data): self.init(data, limit: limit)
        case .file(let file): self.init(contentOf: file, limit: limit)
        case .chunks: self = .omitted
        }
    }
}
