import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads with an early answer", .timeLimit(.minutes(10)))
struct EarlyAnswerTests {
    /// Chunks that are handed out one by one, and the number of those asked for.
    private struct CountedChunks: AsyncSequence, Sendable {
        let asked = Log<Int>()
        let chunks: AsyncStream<Data>

        struct Iterator: AsyncIteratorProtocol {
            let asked: Log<Int>
            var chunks: AsyncStream<Data>.Iterator
            var count = 0

            mutating func next(isolation actor: isolated (any Actor)?) async -> Data? {
                count += 1
                asked.append(count)
                return await chunks.next(isolation: actor)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(asked: asked, chunks: chunks.makeAsyncIterator()) }
    }

    @Test("After an early answer, too, each sent chunk shows that the server still takes the body")
    func sentAfterHead() async throws {
        let server = try LoopbackServer.start(), gate = LoopbackGate()
        defer { gate.open() }
        server.handle("POST", "/early", body: .ignore) { _ in
            LoopbackReply(steps: [.head(status: 200, headers: [LoopbackHeader("Content-Length", "1")]), .gate(gate)])
        }
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        let chunks = CountedChunks(chunks: stream), log = Log<TransferEvent>()
        var request = server.request("/early")
        request.httpMethod = "POST"
        let engine = makeStandardEngine(.ephemeral)
        guard engine.streamsBodies else { return }
        let handle = engine.start(TransferRequest(request, body: .chunks(TransferChunks(chunks)))) { log.append($0) }
        defer { handle.cancel() }
        continuation.yield(Data("1".utf8))
        _ = await log.first { if case .head = $0 { true } else { false } }
        let before = log.all.count
        continuation.yield(Data("22".utf8))
        continuation.yield(Data("333".utf8))
        // A chunk is asked for as soon as the one before it is read, and reported after that.
        _ = await chunks.asked.first { $0 == 4 }
        let sent = log.all.dropFirst(before).compactMap { if case .sent(let bytes, _) = $0 { bytes } else { nil } }
        #expect(sent.contains(3), "\(sent)")
    }

    #if canImport(FoundationNetworking)
        /// An answer to a request whose body is still being sent, before the connection is reset.
        struct EarlyAnswer: Sendable {
            let head: String
            let body: Data
            let isWhole: Bool

            init(_ status: String, _ field: String, _ body: String, isWhole: Bool) {
                self.init(status, field, Data(body.utf8), isWhole: isWhole)
            }

            init(_ status: String, _ field: String, _ body: Data, isWhole: Bool) {
                head = "HTTP/1.1 \(status)\r\n\(field)\r\n"
                self.body = body
                self.isWhole = isWhole
            }

            /// As it is: a server that announced the close of the connection would make libcurl stop sending by itself.
            var steps: [LoopbackReply.Step] { [.raw(Data(head.utf8)), .raw(body)] }
        }

        @Test(
            "A complete answer counts, though the rest of the request's body can't be sent; another one doesn't",
            arguments: [
                EarlyAnswer("200 OK", "Content-Length: 2\r\n", "ok", isWhole: true),
                EarlyAnswer("200 OK", "Content-Length: 0\r\n", "", isWhole: true),
                EarlyAnswer("204 No Content", "", "", isWhole: true),
                EarlyAnswer("200 OK", "Content-Length: 3\r\n", "ok", isWhole: false),
                EarlyAnswer("200 OK", "", "ok", isWhole: false),
                EarlyAnswer("200 OK", "Transfer-Encoding: chunked\r\n", "2\r\nok\r\n", isWhole: false),
                // The end of a coded content shows that it is complete.
                EarlyAnswer("200 OK", "Content-Encoding: gzip\r\n", CodedText.gzip, isWhole: true),
                EarlyAnswer("200 OK", "Content-Encoding: gzip\r\n", CodedText.gzip.dropLast(9), isWhole: false),
            ])
        func resetAfterAnswer(answer: EarlyAnswer) async throws {
            let server = try LoopbackServer.start(), gate = LoopbackGate(), log = Log<TransferEvent>()
            defer { gate.open() }
            server.handle("POST", "/early", body: .ignore) { _ in
                LoopbackReply(steps: answer.steps + [.gate(gate), .reset])
            }
            var request = server.request("/early")
            request.httpMethod = "POST"
            let body = TransferBody.data(Data(count: 20 << 20))
            let handle = makeStandardEngine(.ephemeral).start(TransferRequest(request, body: body)) { event in
                switch event {
                case .head where answer.body.isEmpty: gate.open()
                case .body: gate.open()
                default: break
                }
                log.append(event)
            }
            defer { handle.cancel() }
            let end = await log.untilTheEnd().last
            if case .finished = end {
                #expect(answer.isWhole)
            } else if case .failed(let error) = end {
                #expect(!answer.isWhole, "\(error)")
                #expect([.connectionLost, .truncated].contains((error as? TransferError)?.kind))
            }
        }

        @Test(
            "An upload that waits for a chunk ends with an error, and with an answer that ends its connection",
            arguments: [
                EarlyAnswer("413 Too Large", "Content-Length: 3\r\n", "big", isWhole: true),
                EarlyAnswer("413 Too Large", "Content-Length: 0\r\n", "", isWhole: true),
                EarlyAnswer("413 Too Large", "Content-Length: 3\r\nConnection: close\r\n", "big", isWhole: true),
                EarlyAnswer("413 Too Large", "Content-Length: 0\r\nConnection: close\r\n", "", isWhole: true),
                EarlyAnswer(
                    "413 Too Large", "Transfer-Encoding: chunked\r\n", "3\r\nbig\r\n0\r\n\r\n", isWhole: true),
                EarlyAnswer("200 OK", "Content-Length: 2\r\nConnection: close\r\n", "ok", isWhole: true),
            ])
        func answerBeforeChunk(answer: EarlyAnswer) async throws {
            let server = try LoopbackServer.start(), isAsked = LoopbackGate(), never = Gate()
            let log = Log<TransferEvent>()
            defer { isAsked.open() }
            server.handle("POST", "/early", body: .ignore) { _ in
                LoopbackReply(steps: [.gate(isAsked)] + answer.steps + [.stall])
            }
            // When libcurl asks for the first chunk, it pauses.
            let chunks = AskedChunks(1) { _ in
                isAsked.open()
                try await never.passUnlessCancelled()
            }
            var request = server.request("/early")
            request.httpMethod = "POST"
            let body = TransferBody.chunks(TransferChunks(chunks))
            let handle = makeStandardEngine(.ephemeral).start(TransferRequest(request, body: body)) { log.append($0) }
            defer { handle.cancel() }
            let all = await log.untilTheEnd()
            guard case .finished = all.last else {
                Issue.record("\(all)")
                return
            }
        }

        @Test(
            "Between two members of a gzip file, a lost connection or a malformed chunk isn't the end of the answer",
            arguments: ["GET", "POST"], ["", "zz\r\n"])
        func breakBetweenMembers(method: String, chunk: String) async throws {
            let server = try LoopbackServer.start(), gate = LoopbackGate(), log = Log<TransferEvent>()
            defer { gate.open() }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
            server.handle(
                method, "/members",
                reply: LoopbackReply(steps: [
                    .raw(Data(head.utf8)), .chunk(CodedText.gzip), .gate(gate), .raw(Data(chunk.utf8)),
                    chunk.isEmpty ? .reset : .stall,
                ]))
            var request = server.request("/members")
            request.httpMethod = method
            let body = method == "POST" ? TransferBody.data(Data("body".utf8)) : TransferBody.none
            let handle = makeStandardEngine(.ephemeral).start(TransferRequest(request, body: body)) { event in
                if case .body = event { gate.open() }
                log.append(event)
            }
            defer { handle.cancel() }
            guard case .failed(let error as TransferError) = await log.untilTheEnd().last else {
                Issue.record("\(log.all)")
                return
            }
            #expect(error.kind == (chunk.isEmpty ? .connectionLost : .badResponse))
        }

        /// A POST that libcurl reads in one go, although a Unix socket takes less.
        private func post() throws -> URLRequest {
            var request = URLRequest(url: try url("http://a.socket/"))
            request.httpMethod = "POST"
            request.httpBody = Data(count: UploadPace.firstPart)
            return request
        }

        @Test(
            "A complete answer counts, though the last part of the request's body was read, but can't be written",
            arguments: [true, false])
        func unwrittenPart(isReset: Bool) async throws {
            let listener = try UnixListener()
            let engine = try #require(CurlEngine(configuration: .ephemeral, unixSocketPath: listener.path))
            let answer = EarlyAnswer("200 OK", "Content-Encoding: gzip\r\n", CodedText.gzip, isWhole: true)
            var request = try post(), output: DataSink.Output?
            // On a busy machine a whole answer may take longer than the timeout.
            for timeout in isReset ? [3600.0] : [1.0, 4, 16, 64] where output == nil {
                let mayClose = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    let connection = listener.connection()
                    _ = connection.readHead()
                    connection.write(Data(answer.head.utf8) + answer.body)
                    mayClose.wait()
                    // A reset, as it has not read the body.
                }
                request.timeoutInterval = timeout
                do {
                    output = try await engine.run(request) { update in
                        if isReset, update.stage == .received { mayClose.signal() }
                    }
                } catch let error as TransferError where error.kind == .timedOut {}
                mayClose.signal()
            }
            #expect(output?.data == CodedText.text)
        }

        @Test("An answer goes on if the server takes the rest of the request's body before the answer is ended early")
        func takenRest() async throws {
            let listener = try UnixListener(), log = Log<TransferEvent>(), isTaken = Gate()
            let engine = try #require(CurlEngine(configuration: .ephemeral, unixSocketPath: listener.path))
            let mayTake = DispatchSemaphore(value: 0), mayGoOn = DispatchSemaphore(value: 0)
            defer { mayGoOn.signal() }
            Thread.detachNewThread {
                let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                let size = String(CodedText.gzip.count, radix: 16)
                let member = Data("\(size)\r\n".utf8) + CodedText.gzip + Data("\r\n".utf8)
                let connection = listener.connection()
                _ = connection.readHead()
                connection.write(Data(head.utf8) + member)
                mayTake.wait()
                connection.drop(UploadPace.firstPart)
                isTaken.open()
                mayGoOn.wait()
                connection.write(member + Data("0\r\n\r\n".utf8))
            }
            let handle = engine.start(TransferRequest(try post())) { event in
                if case .body = event { mayTake.signal() }
                log.append(event)
            }
            defer { handle.cancel() }
            _ = await log.first { if case .body = $0 { true } else { false } }
            await isTaken.opened()
            if (handle as? any ExplainedHandle)?.endWithAnswer(isUrgent: true) == true {
                let next = await log.first { if case .sent = $0 { true } else { $0.isTerminal } }
                guard case .sent = next else {
                    Issue.record("\(log.all)")
                    return
                }
            }
            mayGoOn.signal()
            let all = await log.untilTheEnd()
            let parts = all.compactMap { if case .body(let data) = $0 { data } else { nil } }
            #expect(Data(parts.joined()) == CodedText.text + CodedText.text)
            guard case .finished = all.last else {
                Issue.record("\(all)")
                return
            }
        }

        @Test(
            "After a complete answer the server needn't take the rest of the body: its silence isn't a timeout",
            arguments: [false, true])
        func silenceAfterAnswer(isCached: Bool) async throws {
            let server = try LoopbackServer.start(), network = URLRequestDispatcher(configuration: .ephemeral)
            let dispatcher = isCached ? network.cached(in: HTTPCache()) : network
            for (length, isWhole) in [("2", true), ("3", false)] {
                server.handle("POST", "/early", body: .ignore) { _ in
                    let answer = EarlyAnswer("200 OK", "Content-Length: \(length)\r\n", "ok", isWhole: isWhole)
                    return LoopbackReply(steps: answer.steps + [.stall])
                }
                var request = server.request("/early")
                request.httpMethod = "POST"
                request.httpBody = Data(count: 20 << 20)
                var answer: Response<Data?>?
                // On a busy machine a whole answer may take longer than the timeout.
                for timeout in isWhole ? [1.0, 4, 16, 64] : [1.0] where answer == nil {
                    request.timeoutInterval = timeout
                    do {
                        answer = try await dispatcher.dataFuture(from: request).value
                    } catch let error as TransferError where error.kind == .timedOut {}
                }
                #expect(answer?.data == (isWhole ? Data("ok".utf8) : nil))
                #expect((answer != nil) == isWhole)
            }
        }

        @Test("A complete answer counts when the caller's own time is over before the rest of the body is taken")
        func deadlineAfterAnswer() async throws {
            let server = try LoopbackServer.start(), dispatcher = URLRequestDispatcher(configuration: .ephemeral)
            server.handle("POST", "/early", body: .ignore) { _ in
                let answer = EarlyAnswer("200 OK", "Content-Length: 2\r\n", "ok", isWhole: true)
                return LoopbackReply(steps: answer.steps + [.stall])
            }
            var request = server.request("/early")
            request.httpMethod = "POST"
            request.httpBody = Data(count: 20 << 20)
            request.timeoutInterval = 3600
            var answer: Response<Data?>?
            // On a busy machine the answer may take longer.
            for seconds in [2, 8, 32, 128] where answer == nil {
                do {
                    answer = try await dispatcher.deadline(.seconds(seconds)).dataFuture(from: request).value
                } catch is DeadlineExceeded {}
            }
            #expect(answer?.data == Data("ok".utf8))
        }
    #endif
}
