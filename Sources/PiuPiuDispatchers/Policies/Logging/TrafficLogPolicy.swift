import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes each exchange as one text: the request as a command for curl, and the response with its body.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().logged()
/// // curl --url 'https://example.com/posts/1' \
/// //     --header 'Authorization: <redacted>'
/// // ## RESPONSE
/// // [GET] (200) https://example.com/posts/1
/// // ### Headers
/// // * Content-Type: application/json
/// // ### Body
/// // {"id":1,"title":"On the beach"}
/// ```
///
/// ``Dispatching/logged(bodyLimit:redacting:write:)`` makes one. The texts are those of `curl()`
/// and of `debug()`, with secrets redacted in the same way. For one line for each exchange use an ``ExchangeLog``.
///
/// - **Request**: the one that the response answers, as adapters and policies inside have changed it; after redirects,
///   and without a response, the one that was asked for. A body that is longer than the limit, or is no text, follows
///   the command. A file is named, and a body in chunks isn't read.
/// - **Response**: status, URL, headers, and the body up to the limit if it is text, otherwise its length. A download
///   names its file, and a stream is written when its head arrives. Neither is read.
/// - **Error**: its description. A cancellation is one line. A stream that fails after its head has a second text: the
///   request in one line, and the error. One that is read to the end, or left, has none.
///
/// The text is written when the work of the exchange ends, before the future has its outcome unless that is a
/// cancellation, which awaits nothing (contract rule PROMPT of <doc:Contract>). A future that never starts, or is
/// cancelled before, has none. Around a ``RetryPolicy`` the last attempt is written, inside of one each.
public struct TrafficLogPolicy: DispatcherPolicy, InlinePolicy {
    private let format: TrafficText
    private let write: @Sendable (String) -> Void

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - bodyLimit: how many bytes of each body are written.
    ///   - redaction: the headers whose values aren't written; ``HeaderRedaction/none`` writes all, and errors as they
    ///     are.
    ///   - write: takes the text of an exchange, which has several lines, without a line feed at its end; by default it
    ///     is printed. Called off the main actor, by several exchanges concurrently. The exchange waits meanwhile.
    public init(
        bodyLimit: Int = 1_000, redacting redaction: HeaderRedaction = .secrets,
        write: @escaping @Sendable (_ text: String) -> Void = { print($0) }
    ) {
        format = TrafficText(bodyLimit: bodyLimit, redaction: redaction)
        self.write = write
    }

    /// A future of the exchange, which writes it.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        makeFuture(of: exchange)
    }

    func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        do {
            let response = try await exchange.response(in: work)
            write(text(of: exchange, response))
            return watched(response, named: format.name(of: request(of: exchange, response)))
        } catch {
            write(error.isCancellation ? cancellation(of: exchange.urlRequest) : text(of: exchange, failedWith: error))
            throw error
        }
    }

    var endsPromptly: Bool { true }

    private func cancellation(of urlRequest: URLRequest) -> String {
        "\(format.name(of: urlRequest)) was cancelled"
    }

    private func text<Content: Sendable>(
        of exchange: PendingExchange<Content>, _ response: Response<Content>
    ) -> String {
        lines(of: exchange, request(of: exchange, response), format.response(response, body(of: response)))
    }

    /// The request that is written: the one that was answered, unless it was made by a redirect.
    private func request<Content: Sendable>(
        of exchange: PendingExchange<Content>, _ response: Response<Content>
    ) -> URLRequest {
        response.head.redirects.isEmpty ? response.urlRequest : exchange.urlRequest
    }

    /// The same response, whose failure is written if it is a stream.
    private func watched<Content: Sendable>(_ response: Response<Content>, named name: String) -> Response<Content> {
        guard let body = response.data as? StreamedBody else { return response }
        let observer = StreamObserver(limit: 0) { [format, write] ending in
            guard case .failed(let error, _) = ending, !error.isCancellation else { return }
            let text = ([name] + format.error(error)).joined(separator: "\n")
            // The reader may be on the main actor.
            Task { @concurrent in write(text) }
        }
        guard let data = StreamedBody(body, observedBy: observer) as? Content else { return response }
        return Response(response: response, data: data)
    }

    private func text<Content: Sendable>(of exchange: PendingExchange<Content>, failedWith error: any Error) -> String {
        lines(of: exchange, exchange.urlRequest, format.error(error))
    }

    private func lines<Content: Sendable>(
        of exchange: PendingExchange<Content>, _ urlRequest: URLRequest, _ outcome: [String]
    ) -> String {
        let body = exchange.kind == .upload ? exchange.body : TransferBody(of: urlRequest)
        return (format.request(urlRequest, body) + outcome).joined(separator: "\n")
    }

    private func body<Content: Sendable>(of response: Response<Content>) -> TrafficText.Body {
        switch response.data {
        case let file as URL where response.head.bringsFile(to: response.urlRequest): .file(file)
        case is URL: .excerpt(response.head.unsavedBody)
        case is StreamedBody: .stream
        case let data as Data?: .data(data ?? Data())
        default: .stream
        }
    }
}

extension TrafficLogPolicy: CustomStringConvertible, CustomReflectable {
    /// The limit: "TrafficLogPolicy(1000 bytes)".
    public var description: String { "TrafficLogPolicy(\(format.bodyLimit) bytes)" }

    /// Empty: see the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
