import AsyncHTTPClient
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOHTTPCompression
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange: an actor, so that its events are told one at a time.
actor Exchange: TransferHandle {
    /// What is reached from other threads.
    private struct Control {
        var task: Task<Void, Never>?
        /// What it was ended with from outside.
        var interruption: (any Error)?
        var isPaused = false
        var waiter: CheckedContinuation<Void, Never>?
        var lastActivity = NIODeadline.now()
    }

    private var request: TransferRequest
    private var onEvent: (@Sendable (TransferEvent) -> Void)?
    private var hasHead = false
    private var bytesSent: Int64 = 0
    private nonisolated let timeout: TimeAmount
    private nonisolated let control = NIOLockedValueBox(Control())

    init(_ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        self.request = request
        self.onEvent = onEvent
        timeout = .milliseconds(Int64(request.urlRequest.timeoutInterval * 1_000))
    }

    /// Starts, or is refused if there is no engine any more. The engine stays until the end.
    nonisolated func start(on engine: AsyncHTTPClientEngine?) {
        control.withLockedValue { control in
            control.task = Task {
                await run(on: engine?.client)
                engine?.remove(self)
            }
            if control.interruption != nil { control.task?.cancel() }
        }
    }

    private func run(on client: HTTPClient?) async {
        do {
            guard let client else { throw TransferError(.sessionInvalidated, url: request.urlRequest.url) }
            try await deliver(respond(client))
            try Task.checkCancellation()
            tell(.finished)
        } catch {
            let cause = control.withLockedValue { $0.interruption } ?? error
            tell(.failed(TransferError.of(cause, url: request.urlRequest.url, hasHead: hasHead)))
        }
        onEvent = nil
        control.withLockedValue { $0.task = nil }
    }

    /// Sends the request, and those that redirects lead to. Returns the body of the last response.
    private func respond(_ client: HTTPClient) async throws -> HTTPClientResponse.Body {
        var redirects = 0
        while true {
            try Task.checkCancellation()
            let answer = try await client.execute(clientRequest(), deadline: .distantFuture)
            guard let url = request.urlRequest.url, let head = HTTPURLResponse(answer, url: url) else {
                throw TransferError(.badResponse, url: request.urlRequest.url)
            }
            guard let next = try request.redirected(by: head) else {
                hasHead = true
                tell(.head(head, request: request.urlRequest))
                return answer.body
            }
            redirects += 1
            guard redirects <= TransferRequest.redirectLimit else {
                throw TransferError(.tooManyRedirects, url: next.urlRequest.url)
            }
            request = next
            // A short body is read, so that its connection can be used again; a long one costs the connection.
            _ = try? await answer.body.collect(upTo: 64 << 10)
        }
    }

    private func deliver(_ body: HTTPClientResponse.Body) async throws {
        var isEmpty = true
        do {
            for try await buffer in body {
                isEmpty = false
                tell(.body(Data(buffer: buffer)))
                await waitWhilePaused()
                try Task.checkCancellation()
            }
        } catch is NIOHTTPDecompression.ExtraDecompressionError where isEmpty {
            // The answer to HEAD names the coding of a body that it doesn't have.
        }
    }

    private func clientRequest() throws -> HTTPClientRequest {
        var message = HTTPClientRequest(url: request.urlRequest.url?.absoluteString ?? "")
        message.method = HTTPMethod(rawValue: request.urlRequest.httpMethod ?? "GET")
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
            message.headers.add(name: name, value: value)
        }
        if !message.headers.contains(name: "Accept-Encoding") {
            message.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        bytesSent = 0
        if let chunks = try request.body.chunks() {
            let buffers = chunks.map { [self] chunk in
                await sent(chunk.count, of: chunks.length)
                return ByteBuffer(data: chunk)
            }
            message.body = .stream(buffers, length: chunks.length.map { .known($0) } ?? .unknown)
        }
        return message
    }

    // MARK: Events

    private func tell(_ event: TransferEvent) {
        control.withLockedValue { $0.lastActivity = .now() }
        onEvent?(event)
    }

    /// A part of the body is on its way; after the head that is of no interest any more.
    private func sent(_ count: Int, of expected: Int64?) {
        bytesSent += Int64(count)
        if !hasHead { tell(.sent(bytes: bytesSent, expected: expected)) }
    }

    // MARK: From outside

    nonisolated func cancel() {
        interrupt(with: CancellationError())
    }

    /// Ends the exchange if the server has been silent for too long.
    nonisolated func endIfIdle() {
        let isIdle = control.withLockedValue { !$0.isPaused && .now() - $0.lastActivity >= timeout }
        if isIdle { interrupt(with: HTTPClientError.readTimeout) }
    }

    private nonisolated func interrupt(with error: any Error) {
        let (task, waiter) = control.withLockedValue { control in
            if control.interruption == nil { control.interruption = error }
            return (control.task, control.waiter.take())
        }
        task?.cancel()
        waiter?.resume()
    }

    nonisolated func pause() {
        control.withLockedValue { $0.isPaused = true }
    }

    nonisolated func resume() {
        control.withLockedValue { control in
            control.isPaused = false
            control.lastActivity = .now()
            return control.waiter.take()
        }?.resume()
    }

    /// What isn't asked for stays with the server: the client reads no further than it is asked to.
    private func waitWhilePaused() async {
        guard control.withLockedValue({ $0.isPaused }) else { return }
        await withCheckedContinuation { continuation in
            let mayGoOn = control.withLockedValue { control in
                guard control.isPaused, control.interruption == nil else { return true }
                control.waiter = continuation
                return false
            }
            if mayGoOn { continuation.resume() }
        }
    }
}

extension HTTPURLResponse {
    /// The head of a client's response, with headers that come twice joined.
    fileprivate convenience init?(_ response: HTTPClientResponse, url: URL) {
        let fields = Dictionary(response.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        self.init(
            url: url, statusCode: Int(response.status.code), httpVersion: "\(response.version)", headerFields: fields)
    }
}
