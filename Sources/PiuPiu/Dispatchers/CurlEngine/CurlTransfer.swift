#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation
    import FoundationNetworking

    /// One hop of an exchange: what libcurl calls, turned into events. On the thread of its loop alone.
    final class CurlTransfer {
        /// How much of a body is delivered at once.
        private static let partSize = 64 << 10
        private static let largePartSize = 512 << 10

        let identifier: Int
        /// Is called with this transfer when there is a part of a body to be flushed.
        var onPart: ((CurlTransfer) -> Void)?

        private let request: TransferRequest
        private let inbox: CurlInbox
        private var onEvent: (@Sendable (TransferEvent) -> Void)?
        private let partSize: Int
        private var pointer: OpaquePointer?
        private var body: CurlBody?
        private var supplier: Task<Void, Never>?
        private var head: CurlHead
        private var failure: TransferError?
        private var part = Data()
        /// Whether the reader wants no more for now, and whether libcurl has paused.
        private let isHeld: Locked<Bool>
        private var isPaused = false

        init(
            _ identifier: Int, _ request: TransferRequest, _ isHeld: Locked<Bool>, _ inbox: CurlInbox,
            _ onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) {
            self.identifier = identifier
            self.request = request
            self.isHeld = isHeld
            self.inbox = inbox
            self.onEvent = onEvent
            partSize = request.expectsLargeResponse ? Self.largePartSize : Self.partSize
            head = CurlHead(request.urlRequest.url)
        }

        // MARK: Life

        /// Sends the request.
        func start(on loop: OpaquePointer) throws(TransferError) {
            body = try CurlBody(request.body)
            try send(on: loop)
            if case .chunks(let chunks) = request.body { supplyChunks(chunks) }
        }

        /// Hands it to libcurl; once more, if it was parked.
        func send(on loop: OpaquePointer) throws(TransferError) {
            let urlRequest = request.urlRequest
            let method = urlRequest.httpMethod ?? "GET"
            guard let pointer = makeTransfer(on: loop, mayRepeat: request.isIdempotent) else { throw error(.other) }
            self.pointer = pointer
            for (name, value) in urlRequest.allHTTPHeaderFields ?? [:] where name.lowercased() != "content-length" {
                // A semicolon is libcurl's way to send a header without a value.
                try addHeader(value.isEmpty ? "\(name);" : "\(name): \(value)", to: pointer)
            }
            var options: [Int32] = [
                piu_transfer_set_text(pointer, Int32(PIU_URL), urlRequest.url?.absoluteString),
                piu_transfer_set_number(pointer, Int32(PIU_BUFFERSIZE), Self.partSize),
                // Plain HTTP would wait for the first response to share its connection.
                piu_transfer_set_number(
                    pointer, Int32(PIU_PIPEWAIT), urlRequest.url?.scheme?.lowercased() == "https" ? 1 : 0),
            ]
            if let length = body?.length ?? (["POST", "PUT", "PATCH"].contains(method) ? 0 : nil) {
                options.append(piu_transfer_set_number(pointer, Int32(PIU_UPLOAD), 1))
                options.append(piu_transfer_set_length(pointer, length))
                let isLarge = length < 0 || length > Self.partSize
                // One that libcurl of before 7.62 doesn't know, and no more than speed.
                _ = piu_transfer_set_number(pointer, Int32(PIU_UPLOAD_BUFFERSIZE), isLarge ? 256 << 10 : Self.partSize)
                // Without it libcurl waits a second for "100 Continue" before it sends a body that is not small.
                try addHeader("Expect:", to: pointer)
            } else if method == "HEAD" {
                options.append(piu_transfer_set_number(pointer, Int32(PIU_NOBODY), 1))
            }
            if method != "HEAD" || body != nil {
                options.append(piu_transfer_set_text(pointer, Int32(PIU_CUSTOMREQUEST), method))
            }
            if let refused = options.first(where: { $0 != 0 }) {
                throw error(.other, CurlError(refused, in: pointer))
            }
            guard piu_transfer_start(pointer) == 0 else { throw error(.other) }
        }

        private func addHeader(_ line: String, to pointer: OpaquePointer) throws(TransferError) {
            guard piu_transfer_add_header(pointer, line) else { throw error(.other) }
        }

        /// Lets libcurl forget the transfer, which calls back no more.
        func free() {
            park()
            supplier.take()?.cancel()
            body?.close()
            body = nil
        }

        /// Lets libcurl forget the transfer for now: nothing was sent.
        func park() {
            if let pointer = pointer.take() { piu_transfer_free(pointer) }
        }

        /// Whether it has failed because no descriptor was left for its connection.
        func isStarved(_ result: Int32) -> Bool {
            result == Int32(PIU_COULDNT_CONNECT) && pointer.map { piu_transfer_is_starved($0) } ?? false
        }

        /// Whether to free it would wait for a name server.
        var isResolving: Bool { pointer.map { piu_transfer_is_resolving($0) } ?? false }

        /// Lets it fail as soon as the name of its host is known.
        func abandon() {
            if let pointer { piu_transfer_abandon(pointer) }
        }

        /// What has become of it.
        func outcome(of result: Int32) -> TransferEvent {
            if let failure = failure ?? body?.failure { return .failed(failure) }
            guard result != PIU_OK else {
                // A head that was never complete is none to libcurl's mind, and no error.
                return head.isComplete ? .finished : .failed(error(.connectionLost))
            }
            guard let pointer else { return .failed(error(.other)) }
            let curlError = CurlError(result, in: pointer)
            return .failed(error(curlError.kind, curlError))
        }

        /// An error of this request.
        func error(_ kind: TransferError.Kind, _ underlyingError: (any Error)? = nil) -> TransferError {
            TransferError(kind, url: request.urlRequest.url, underlyingError: underlyingError)
        }

        /// Reports an event; nothing after the last one.
        func deliver(_ event: TransferEvent) {
            guard event.isTerminal else { onEvent?(event); return }
            onEvent.take()?(event)
        }

        // MARK: The body of the response

        /// Delivers the part of the body that has arrived.
        func flush() {
            guard !part.isEmpty else { return }
            let part = self.part
            self.part = Data()
            deliver(.body(part))
        }

        /// Asks for the rest of the body.
        func resume() {
            guard isPaused, let pointer else { return }
            isPaused = false
            piu_transfer_pause(pointer, body?.isStarved == true ? Int32(PIU_PAUSE_SEND) : 0)
        }

        // MARK: The body of the request

        private func supplyChunks(_ chunks: TransferChunks) {
            supplier = Task { [identifier, inbox] in
                @Sendable func offer(_ chunk: Result<Data?, any Error>) async -> Bool {
                    await withCheckedContinuation { inbox.post(.supply(identifier, chunk, $0)) }
                }
                do {
                    for try await chunk in chunks {
                        guard await offer(.success(chunk)) else { return }
                    }
                    _ = await offer(.success(nil))
                } catch {
                    _ = await offer(.failure(error))
                }
            }
        }

        /// Takes the next chunk; returns an error that ends the transfer.
        func supply(_ chunk: Result<Data?, any Error>, _ continuation: CheckedContinuation<Bool, Never>) -> (any Error)?
        {
            switch chunk {
            case .success(let data):
                guard body != nil else {
                    continuation.resume(returning: false)
                    return nil
                }
                if body?.supply(data, continuation) == true, let pointer {
                    piu_transfer_pause(pointer, isPaused ? Int32(PIU_PAUSE_RECEIVE) : 0)
                }
                return nil
            case .failure(let error):
                continuation.resume(returning: false)
                return error
            }
        }

        // MARK: What libcurl calls, see CurlCallbacks

        /// Takes a line of a head; returns whether to go on.
        func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
            guard let complete = head.take(line) else { return failure == nil }
            guard complete.announcedLength != .invalid else {
                failure = error(.badResponse)
                return false
            }
            deliver(.head(complete, request: request.urlRequest))
            return true
        }

        /// Takes a part of the body, or none while the server is held up.
        func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard !isHeld.withLock({ $0 }) else {
                isPaused = true
                return false
            }
            if part.isEmpty {
                onPart?(self)
                if request.expectsLargeResponse { part.reserveCapacity(partSize) }
            }
            part.append(contentsOf: bytes)
            if part.count >= partSize { flush() }
            return true
        }

        /// Fills a buffer with what comes next of the request's body.
        func sendBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            guard let count = body?.read(into: buffer), let body else { return 0 }
            if (1...buffer.count).contains(count), !head.isComplete {
                deliver(.sent(bytes: body.offset, expected: body.length < 0 ? nil : body.length))
            }
            return count
        }

        /// Begins the request's body again.
        func rewindBody() -> Bool { body?.rewind() ?? true }
    }

    extension TransferRequest {
        /// Whether sending it twice does what sending it once does (RFC 9110, section 9.2.2).
        var isIdempotent: Bool {
            ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(urlRequest.httpMethod ?? "GET")
        }
    }
#endif
