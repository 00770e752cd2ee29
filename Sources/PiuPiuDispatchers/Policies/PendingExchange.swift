#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// An exchange that a caller asks for, as a ``DispatcherPolicy`` gets it.
///
/// `Content` is the content of the response: `Data?` for data and uploads, the `URL` of the file for a download, a
/// ``StreamedBody`` for a stream.
public struct PendingExchange<Content: Sendable>: Sendable {
    typealias Maker = @Sendable (URLRequest, TransferBody) -> ResponseFuture<Response<Content>>

    private final class Parts: Sendable {
        let kind: ExchangeKind
        let urlRequest: URLRequest
        let body: TransferBody
        let endsPromptly: Bool
        let stack: PolicyStack<Content>?
        let maker: Maker

        init(
            _ kind: ExchangeKind, _ urlRequest: URLRequest, _ body: TransferBody, endsPromptly: Bool,
            stack: PolicyStack<Content>?, maker: @escaping Maker
        ) {
            self.kind = kind
            self.urlRequest = urlRequest
            self.body = body
            self.endsPromptly = endsPromptly
            self.stack = stack
            self.maker = maker
        }
    }

    /// Behind one reference, because each policy passes it on, and retains it.
    private let parts: Parts

    /// The kind of future that was asked for.
    public var kind: ExchangeKind { parts.kind }

    /// The caller's request: no adapter has changed it yet.
    public var urlRequest: URLRequest { parts.urlRequest }

    /// The body to send: that of an upload, otherwise that of the request.
    public var body: TransferBody { parts.body }

    /// Whether it ends as soon as it is cancelled.
    var endsPromptly: Bool { parts.endsPromptly }

    /// What carries it out inside the work of another future, if the dispatcher below can.
    var stack: PolicyStack<Content>? { parts.stack }

    /// - Parameters:
    ///   - endsPromptly: whether the dispatcher below ends as soon as it is cancelled; a body that has to be read may
    ///     not.
    ///   - stack: carries it out inside the work of another future, if the dispatcher below can.
    ///   - maker: makes a future of it.
    init(
        _ kind: ExchangeKind, _ urlRequest: URLRequest, body: TransferBody? = nil, endsPromptly: Bool = false,
        stack: PolicyStack<Content>? = nil, maker: @escaping Maker
    ) {
        let body = body ?? TransferBody(of: urlRequest)
        parts = Parts(
            kind, urlRequest, body, endsPromptly: endsPromptly && body.isInMemory, stack: stack, maker: maker)
    }

    /// A new, cold future of the exchange, made by the dispatcher below.
    ///
    /// The policy decides whether the request and its body may be sent again.
    public func makeFuture() -> ResponseFuture<Response<Content>> { makeFuture(from: urlRequest) }

    /// A new future of the exchange, with another request than the caller's.
    ///
    /// It is a part of the same exchange for all policies around this one and inside it, whatever has changed. An
    /// upload keeps its ``body``, and that of the request isn't sent: ``makeFuture(from:with:)`` replaces it.
    public func makeFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Content>> {
        makeFuture(from: urlRequest, with: body)
    }

    /// A new future of the exchange, with another request than the caller's, and another body of an upload.
    ///
    /// ```swift
    /// var request = exchange.urlRequest
    /// request.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
    /// return exchange.makeFuture(from: request, with: .data(compressed))
    /// ```
    ///
    /// It is a part of the same exchange, as with ``makeFuture(from:)``. Only an upload has a body beside its request.
    /// That of data, a download or a stream is the one of the request, so set its `httpBody`.
    ///
    /// A policy around this one, such as a ``RetryPolicy``, knows the caller's body only, and decides by that whether
    /// the exchange may be sent again. This policy is asked again then.
    ///
    /// - Parameters:
    ///   - urlRequest: the request.
    ///   - body: the body to send, if the exchange is an upload; otherwise it isn't used. A file is sent in constant
    ///     memory (contract rule MEMORY).
    public func makeFuture(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Content>> {
        let future = makeFutureBelow(from: urlRequest, with: body)
        guard !urlRequest.hasSameTarget(as: self.urlRequest) else { return future }
        return ResponseFuture(parent: nil) { [original = self.urlRequest] (_: AnyResponseFuture, run: FutureRun) in
            try Task.checkCancellation()
            var context = PolicyContext.current
            context.add(urlRequest, insteadOf: original)
            return try await ExchangeLocals.$current.withValue(context.local) {
                try await InnerFuture.value(of: future, for: run)
            }
        }
    }

    /// The future that the dispatcher below makes of this request.
    func makeFutureBelow(from urlRequest: URLRequest, with body: TransferBody) -> ResponseFuture<Response<Content>> {
        parts.maker(urlRequest, body)
    }

    /// Carries out the exchange as a part of the work of another future, which gets its updates.
    func response(in work: InlineWork) async throws -> Response<Content> {
        try await response(to: urlRequest, with: body, in: work)
    }

    /// The same, with another request and body.
    ///
    /// - Parameter credential: what an authenticator has put into the request.
    func response(
        to urlRequest: URLRequest, with body: TransferBody, sending credential: SentCredential? = nil,
        in work: InlineWork
    ) async throws -> Response<Content> {
        let course = PolicyCourse(self, in: work)
        (course.attempt.urlRequest, course.attempt.body) = (urlRequest, body)
        course.attempt.context.add(urlRequest, insteadOf: self.urlRequest)
        if let credential { course.attempt.context.sentCredential = credential }
        return try await response(by: course)
    }
}

extension PendingExchange: CustomStringConvertible, CustomReflectable {
    /// The method and the URL, with its secrets redacted.
    public var description: String {
        let url = urlRequest.url?.text(redacting: .secrets) ?? "(no URL)"
        return "\(urlRequest.httpMethod?.escapingControlCharacters ?? "GET") \(url)"
    }

    /// Empty: headers and bodies may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
