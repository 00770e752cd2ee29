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
    }

    private let request: TransferRequest
    private var onEvent: (@Sendable (TransferEvent) -> Void)?
    private var hasHead = false
    private var bytesSent: Int64 = 0
    private nonisolated let control = NIOLockedValueBox(Control())

    init(_ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void) {
        self.request = request
        self.onEvent = onEvent
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

    /// Sends the request. Returns the body of the response.
    private func respond(_ client: HTTPClient) async throws -> HTTPClientResponse.Body {
        try Task.checkCancellation()
        let answer = try await client.execute(clientRequest(), deadline: .distantFuture)
        guard let url = request.urlRequest.url else { throw TransferError(.badResponse) }
        hasHead = true
        let head = TransferHead(
            url: url, status: Int(answer.status.code), version: "\(answer.version)",
            fields: answer.headers.map { (name: $0.name, value: $0.value) })
        tell(.head(head, request: request.urlRequest))
        return answer.body
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
