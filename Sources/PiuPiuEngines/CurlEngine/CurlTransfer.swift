#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation
    import FoundationNetworking

    // Sound without a check for overlapping accesses: all of them are on one thread, and none spans a call that comes
    // back to the transfer.

    /// One hop of an exchange: it turns libcurl's callbacks into events. Only on the thread of its loop.
    final class CurlTransfer {
        /// How many bytes of a body are delivered at once.
        private static let partSize = 64 << 10
        /// How many bytes of a body are read before others get their turn; libcurl itself would read as long as there
        /// are any.
        private static let turnSize = 32 << 10
        /// CURLPROTO_HTTP and CURLPROTO_HTTPS.
        private static let httpAndHTTPS: Int64 = 3
        /// Whether a transfer can be freed at once during the look-up of its host: from 7.87 on.
        static let hasQuickExit = piu_version() >= 0x075700
        /// Whether a repeat is noticed, so that the request's body begins again: from 7.80 on.
        private static let notesRepeats = piu_version() >= 0x075000

        let identifier: Int
        /// Is called with this transfer when there is a part of a body to flush.
        var onPart: ((CurlTransfer) -> Void)?
        /// Is called with this transfer after a turn; returns whether others get theirs before it goes on.
        var onTurn: ((CurlTransfer) -> Bool)?
        /// Whether it was last sent as the next one of those that wait for a descriptor: it stays that without one.
        var wasNext = false
        /// Whether no connection of others will do.
        var needsNewConnection = false

        let request: TransferRequest
        let url: URL?
        let method: String
        let setup: CurlSetup
        let connecting: CurlConnecting
        @exclusivity(unchecked) private var onEvent: (@Sendable (TransferEvent) -> Void)?
        @exclusivity(unchecked) private(set) var pointer: OpaquePointer?
        @exclusivity(unchecked) private(set) var body: CurlBody?
        private var supplier: CurlSupplier?
        @exclusivity(unchecked) private(set) var head: CurlHead
        @exclusivity(unchecked) private(set) var failure: TransferError?
        @exclusivity(unchecked) private var part = Data()
        /// The content codings of the response, and from the first byte of its body on their decoder.
        @exclusivity(unchecked) private var codings: [ContentCoding] = []
        private(set) var decoder: ContentDecoder?
        /// What the transfer and its handle tell each other, and whether libcurl has paused.
        private let reading: Locked<CurlReading>
        @exclusivity(unchecked) private var isPaused = false
        @exclusivity(unchecked) private var takenInTurn = 0
        /// Whether the answer has a status after which libcurl sends no more of the request's body.
        @exclusivity(unchecked) private var stopsSending = false
        /// How many bytes the body has as it is sent, and how many have come; `nil` before the head, and if the length
        /// isn't announced.
        @exclusivity(unchecked) private(set) var wholeLength: Int64?
        @exclusivity(unchecked) private(set) var received: Int64 = 0

        init(
            _ identifier: Int, _ request: TransferRequest, _ supplier: CurlSupplier?, _ reading: Locked<CurlReading>,
            _ setup: CurlSetup, _ origins: CurlOrigins, _ onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) {
            self.identifier = identifier
            let urlRequest = request.urlRequest
            url = urlRequest.url
            method = urlRequest.httpMethod ?? "GET"
            connecting = CurlConnecting(
                url, timeout: request.connectTimeout, connectTimeout: setup.connectTimeout, origins)
            self.request = request
            self.supplier = supplier
            self.reading = reading
            self.setup = setup
            self.onEvent = onEvent
            head = CurlHead(url)
        }

        // MARK: Life

        /// Sends the request with a handle of libcurl; again, if it was parked.
        func send(with makeHandle: () -> OpaquePointer?) throws(TransferError) {
            if let problem = setup.problem { throw error(.unsupportedSetting, problem) }
            if body == nil { do { body = try CurlBody(request.body) } catch { throw error.naming(url) } }
            guard let pointer = makeHandle() else { throw error(.other) }
            self.pointer = pointer
            try addHeaders(to: pointer)
            let problem = (url?.absoluteString ?? "").withCString { piu_transfer_set_url(pointer, $0) }
            guard problem == CurlCode.ok.rawValue else { throw error(.other, CurlError(problem, in: pointer)) }
            try set(.noSignal, .number(1), in: pointer)
            try set(.protocols, .number(Self.httpAndHTTPS), in: pointer)
            try set(.pathAsIs, .number(1), in: pointer)
            try set(.suppressConnectHeaders, .number(1), in: pointer)
            try set(.bufferSize, .number(Int64(Self.turnSize)), in: pointer)
            for (option, number) in connecting.options { try set(option, .number(number), in: pointer) }
            // Not before 7.87: see `isResolving`.
            piu_transfer_set_number(pointer, CurlOption.quickExit.rawValue, 1)
            // From then on, libcurl would know no update of a file with authorities for a day.
            piu_transfer_set_number(pointer, CurlOption.authoritiesTimeout.rawValue, 60)
            // Not in a libcurl that was built without proxies.
            if setup.ignoresEnvironment { piu_transfer_set_text(pointer, CurlOption.noProxy.rawValue, "*") }
            for (option, value) in setup.options(for: url) {
                try set(option, value, orFail: .unsupportedSetting, in: pointer)
            }
            if let length = body?.length ?? (["POST", "PUT", "PATCH"].contains(method) ? 0 : nil) {
                try set(.upload, .number(1), in: pointer)
                try set(.bodyLength, .number(length), in: pointer)
                if length < 0 {
                    for (option, number) in connecting.optionsOfUnknownLength {
                        try set(option, .number(number), in: pointer)
                    }
                }
                let isSmall = (0...Int64(Self.partSize)).contains(length)
                let bufferSize = isSmall ? Self.partSize : UploadPace.largestPart
                // Before 7.62 libcurl doesn't know this option; it only affects speed.
                piu_transfer_set_number(pointer, CurlOption.uploadBufferSize.rawValue, Int64(bufferSize))
                // Without this line libcurl waits a second for "100 Continue" before it sends a larger body.
                try addHeader("Expect:", to: pointer)
            } else if method == "HEAD" {
                try set(.nobody, .number(1), in: pointer)
            }
            // A GET without a body is what libcurl sends by itself.
            if body != nil || !["GET", "HEAD"].contains(method) { try set(.customRequest, .text(method), in: pointer) }
            if needsNewConnection { try set(.freshConnect, .number(1), in: pointer) }
            let result = start(pointer, mayRepeat: mayRepeat, patience: connecting.patience)
            guard result == CurlCode.ok.rawValue else { throw error(.other) }
            // libcurl reads nothing of a body that is announced as empty.
            if body?.length == 0 { supplier?.begin() }
        }

        private func set(
            _ option: CurlOption, _ value: CurlSetup.Value, orFail kind: TransferError.Kind = .other,
            in pointer: OpaquePointer
        ) throws(TransferError) {
            let result =
                switch value {
                case .number(let number): piu_transfer_set_number(pointer, option.rawValue, number)
                case .text(nil): piu_transfer_set_text(pointer, option.rawValue, nil)
                // Without a closure the text would be copied.
                case .text(let text?): text.withCString { piu_transfer_set_text(pointer, option.rawValue, $0) }
                }
            guard result == CurlCode.ok.rawValue else { throw error(kind, CurlError(result, in: pointer)) }
        }

        func addHeader(_ line: String, to pointer: OpaquePointer) throws(TransferError) {
            guard line.withCString({ piu_transfer_add_header(pointer, $0) }) else { throw error(.other) }
        }

        /// Removes the transfer from libcurl: it calls back no more.
        func free() {
            if let pointer = pointer.take() { piu_transfer_free(pointer) }
            supplier.take()?.cancel()
            body.take()?.close()
        }

        /// Removes the transfer from libcurl for now: nothing was sent, and nothing of a file was read.
        func park() {
            if let pointer = pointer.take() { piu_transfer_free(pointer) }
            if needsFile { body.take()?.close() }
        }

        /// Whether it opens a file when it is sent.
        var needsFile: Bool { if case .file = request.body { true } else { false } }

        /// Whether it has failed because no descriptor was left for its connection, before it was sent.
        func isStarved(_ result: Int32) -> Bool {
            guard result == CurlCode.cannotConnect.rawValue, let pointer else { return false }
            return piu_transfer_is_starved(pointer) && !piu_transfer_was_sent(pointer)
        }

        /// Whether it sends a body.
        var hasBody: Bool { body != nil }

        /// Whether it may be sent twice, even if the server has carried it out. Names of methods are case-sensitive.
        private var isIdempotent: Bool {
            method == "GET" || HTTPMethod(rawValue: method)?.isIdempotent == true
                || request.urlRequest.idempotencyKey != nil
        }

        /// Whether libcurl may send it again, for whatever reason: of HTTP/2 it doesn't tell a refusal (RFC 9113, section
        /// 8.7) from a loss of the connection, after which the server may have got the request.
        var mayRepeat: Bool { isIdempotent && (body == nil || Self.notesRepeats) }

        private func noteWhole() {
            // Otherwise libcurl soon ends the transfer.
            guard body != nil else { return }
            // A content may go on behind an end: gzip may have several members.
            let isWhole = hasWholeResponse
            reading.withLock { $0.isWhole = isWhole }
        }

        /// Whether the response is still complete, so that the transfer may end with it. Otherwise it goes on: libcurl
        /// doesn't say when it has sent the last part of the request's body.
        func isStillWhole() -> Bool {
            noteWhole()
            guard !hasWholeResponse else { return true }
            reportSent()
            return false
        }

        /// An error of this request.
        func error(_ kind: TransferError.Kind, _ underlyingError: (any Error)? = nil) -> TransferError {
            TransferError(kind, url: url, underlyingError: underlyingError)
        }

        /// Reports an event, but none after the last one.
        func deliver(_ event: TransferEvent) {
            guard event.isTerminal else { onEvent?(event); return }
            onEvent.take()?(event)
        }

        // MARK: The body of the response

        /// Delivers the part of the body that has arrived.
        func flush() {
            guard !part.isEmpty else { return }
            var part = self.part
            self.part = Data()
            // The reader would retain the reserved capacity, too, but its limits count only the bytes.
            if request.expectsLargeResponse, part.count < Self.partSize / 2 { part = part.withUnsafeBytes { Data($0) } }
            deliver(.body(part))
        }

        private var isHeld: Bool { reading.withLock { $0.isHeld } }

        /// Gets the next turn.
        ///
        /// - Returns: what ``resume()`` does.
        func takeTurn() -> TransferError? {
            isHeld ? nil : resume()
        }

        /// Resumes the response's body.
        ///
        /// - Returns: what was wrong with the part that libcurl had kept: it may not end the transfer itself.
        func resume() -> TransferError? {
            guard isPaused, let pointer else { return nil }
            isPaused = false
            piu_transfer_pause(pointer, pauseOfSending)
            return failure
        }

        /// The pause of libcurl while the next chunk isn't there yet: none after an answer with which libcurl may stop
        /// sending, as 7.88 doesn't end a transfer that is paused. If it goes on, it asks for the chunk again.
        private var pauseOfSending: Int32 {
            body?.isStarved == true && !stopsSending && !hasWholeResponse ? CurlPause.send : 0
        }

        /// Lets libcurl end the transfer, although the next chunk isn't there yet, if it has stopped sending.
        private func endPauseOfSending() {
            guard body?.isStarved == true, pauseOfSending == 0, let pointer else { return }
            piu_transfer_pause(pointer, isPaused ? CurlPause.receive : 0)
        }

        // MARK: The body of the request

        /// Passes on the next chunk; returns an error that ends the transfer.
        func take(_ supply: CurlSupply) -> (any Error)? {
            switch supply.chunk {
            case .success(let data):
                guard let body else {
                    supply.answer(false)
                    return nil
                }
                if body.take(data, from: supply), let pointer {
                    reading.withLock { $0.isStarved = false }
                    piu_transfer_pause(pointer, isPaused ? CurlPause.receive : 0)
                }
                return nil
            case .failure(let error):
                supply.answer(false)
                return (error as? TransferError)?.naming(url) ?? error
            }
        }

        // MARK: Callbacks of libcurl, see CurlCallbacks

        /// Gets a line of a head; returns whether to go on.
        func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
            guard onEvent != nil else { return false }
            guard let complete = head.take(line) else {
                if head.isInvalid { failure = error(.badResponse) }
                return failure == nil
            }
            // Nobody has asked for another protocol, and libcurl takes what follows for a body.
            guard complete.status != 101 else {
                failure = error(.badResponse)
                return false
            }
            guard head.isComplete else {
                deliver(.head(complete, request: request.urlRequest))
                return true
            }
            guard complete.announcedLength != .invalid else {
                failure = error(.badResponse)
                return false
            }
            connecting.heed(complete)
            codings = ContentCoding.codings(of: complete)
            let isWithoutBody = [204, 304].contains(complete.status) || method == "HEAD"
            wholeLength = isWithoutBody ? 0 : complete.announcedLength.value
            let isOpenEnded = wholeLength == nil && complete.isOpenEnded
            stopsSending = (complete.status ?? 0) >= 300
            deliver(.head(isOpenEnded ? complete.endingWithConnection : complete, request: request.urlRequest))
            noteWhole()
            endPauseOfSending()
            return !endsWithHead
        }

        /// Gets a part of the body; returns its size, or an instruction for libcurl.
        func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
            guard onEvent != nil else { return CurlAnswer.abortWriting }
            guard !isHeld else {
                isPaused = true
                return CurlAnswer.pauseWriting
            }
            if codings.isEmpty {
                take(bytes)
                endTurn(after: bytes.count)
            } else {
                let answer = decode(bytes)
                guard answer == bytes.count else { return answer }
            }
            received += Int64(bytes.count)
            noteWhole()
            endPauseOfSending()
            return bytes.count
        }

        private func take(_ bytes: UnsafeRawBufferPointer) {
            if part.isEmpty {
                onPart?(self)
                if request.expectsLargeResponse { part.reserveCapacity(Self.partSize) }
            }
            part.append(contentsOf: bytes)
            if part.count >= Self.partSize { flush() }
        }

        private func decode(_ bytes: UnsafeRawBufferPointer) -> Int {
            var hasPieces = false
            do throws(ContentDecoder.Failure) {
                if decoder == nil { decoder = try ContentDecoder(codings) }
                let isDecoded = try decoder?.decode(bytes) { piece in
                    hasPieces = true
                    take(piece)
                    // A few bytes can have a content of any size.
                    isPaused = isHeld || mustYield(after: piece.count + (decoder?.hiddenCount ?? 0))
                    return !isPaused
                }
                // Perhaps a whole block must come first: the server isn't silent meanwhile.
                if !hasPieces { reportSent() }
                return isDecoded == false ? CurlAnswer.pauseWriting : bytes.count
            } catch {
                failure = self.error(.badResponse)
                return CurlAnswer.abortWriting
            }
        }

        private func endTurn(after count: Int) {
            guard !isPaused, mustYield(after: count), let pointer else { return }
            isPaused = true
            piu_transfer_pause(pointer, CurlPause.receive | pauseOfSending)
        }

        /// Whether the turn is over, and others get theirs.
        private func mustYield(after count: Int) -> Bool {
            takenInTurn += count
            guard takenInTurn >= Self.turnSize else { return false }
            takenInTurn = 0
            return onTurn?(self) == true
        }

        /// Fills a buffer with the next bytes of the request's body.
        func sendBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
            guard onEvent != nil else { return CurlAnswer.abortReading }
            guard let body else { return 0 }
            let count = body.read(into: buffer, at: DispatchTime.now().uptimeNanoseconds)
            if count == CurlAnswer.pauseReading {
                reading.withLock { $0.isStarved = true }
                // Not before there is a connection: chunks that can be read only once could be sent no more after it.
                supplier?.begin()
            }
            // An answer that was whole while a part of the body was unsent may go on.
            if head.isComplete { noteWhole() }
            // After an early answer, too: it shows that the server still takes the body.
            if (1...buffer.count).contains(count) { reportSent() }
            return count
        }

        /// Shows that the exchange goes on, even if no more was sent since the last report.
        private func reportSent() {
            let length = body?.length ?? 0
            deliver(.sent(bytes: body?.offset ?? 0, expected: length < 0 ? nil : length))
        }

        /// Begins the request's body again.
        func rewindBody() -> Bool { body?.rewind() ?? true }
    }
#endif
