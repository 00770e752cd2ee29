#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport

    /// Traffic of all kinds with a server that often fails, a third of it cancelled at random moments.
    struct MixedTraffic: Sendable {
        /// The outcome.
        struct Report: Sendable {
            var answers = 0
            var failures = 0
            var cancellations = 0
            var wrong: [String] = []

            var count: Int { answers + failures + cancellations }

            mutating func add(_ other: Report) {
                answers += other.answers
                failures += other.failures
                cancellations += other.cancellations
                wrong += other.wrong
            }
        }

        /// The kind of an exchange, which decides how it must end.
        private enum Work: CaseIterable {
            case bytes, chunks, redirects, slow, post, fileUpload, chunkUpload, download, stream
            case unreadStream, leftStream, heldStream
            case reset, close, truncated, cutChunk, resetMidBody, cutHead, garbage, cutDownload, cutStream, refused
            case silent

            /// Whether the server makes it fail.
            var fails: Bool {
                switch self {
                case .reset, .close, .truncated, .cutChunk, .resetMidBody, .cutHead, .garbage, .cutDownload, .cutStream,
                    .refused, .silent:
                    true
                default: false
                }
            }
        }

        private static let uploaded = LoopbackPattern.data(count: 200_000)
        /// The exchanges of each worker even if the machine is held up until the time is over.
        private static let fewest = 10

        let server: LoopbackServer
        let seed: UInt64
        private let folder: TemporaryFolder
        private let file: URL

        init(server: LoopbackServer, seed: UInt64) throws {
            self.server = server
            self.seed = seed
            folder = try TemporaryFolder()
            file = folder.file("uploaded")
            try Self.uploaded.write(to: file)
        }

        /// Runs `workers` tasks until this moment at least, each with some exchanges one after the other; half of the
        /// workers share a dispatcher, and the others make new ones.
        func run(workers: Int, until end: ContinuousClock.Instant) async -> Report {
            let shared = URLRequestDispatcher(configuration: .ephemeral)
            return await withTaskGroup(of: Report.self) { group in
                for worker in 0..<workers {
                    group.addTask {
                        await work(worker, until: end, over: worker.isMultiple(of: 2) ? shared : nil)
                    }
                }
                return await group.reduce(into: Report()) { $0.add($1) }
            }
        }

        private func work(
            _ worker: Int, until end: ContinuousClock.Instant, over shared: URLRequestDispatcher?
        ) async -> Report {
            var generator = SeededGenerator(seed: seed &+ UInt64(worker))
            var report = Report()
            func mustGoOn() -> Bool { report.count < Self.fewest || ContinuousClock.now < end }
            while mustGoOn() {
                let dispatcher = shared ?? URLRequestDispatcher(configuration: .ephemeral)
                for _ in 0..<50 where mustGoOn() {
                    await exchange(worker, using: &generator, over: dispatcher, report: &report)
                }
            }
            return report
        }

        private func exchange(
            _ worker: Int, using generator: inout SeededGenerator, over dispatcher: URLRequestDispatcher,
            report: inout Report
        ) async {
            var work = Work.allCases.randomElement(using: &generator) ?? .bytes
            // Each is silent for a second, which would make up most of the time.
            if work == .silent, Int.random(in: 0..<20, using: &generator) > 0 { work = .bytes }
            // The server counts by path: one path for each exchange would look like a leak.
            let size = 1 + 4_603 * Int.random(in: 0..<64, using: &generator)
            let isCancelled = Int.random(in: 0..<3, using: &generator) == 0
            let microseconds = Int.random(in: 0...5_000, using: &generator)
            let future = future(of: work, size: size, worker: worker, over: dispatcher)
            if isCancelled {
                DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) { [weak future] in
                    future?.cancel()
                }
            }
            do {
                let isRight = try await future.value
                if work.fails || !isRight {
                    report.wrong.append("\(work) of \(size) has brought \(isRight ? "an answer" : "wrong bytes")")
                }
                report.answers += 1
            } catch is CancellationError {
                if !isCancelled { report.wrong.append("\(work) was cancelled by nobody") }
                report.cancellations += 1
            } catch {
                // A new connection may be refused, or an old one be closed, where the server has just reset others.
                let isTyped = (error as? TransferError).map { $0.kind != .other && $0.url != nil } ?? false
                if !work.fails || !isTyped { report.wrong.append("\(work) of \(size): \(error)") }
                report.failures += 1
            }
        }

        /// Whether the response is right.
        private func future(
            of work: Work, size: Int, worker: Int, over dispatcher: URLRequestDispatcher
        ) -> ResponseFuture<Bool> {
            let isRight: @Sendable (Response<Data?>) -> Bool = { $0.data == LoopbackPattern.data(count: size) }
            switch work {
            case .bytes: return data("/bytes/\(size)", dispatcher).then(isRight)
            case .chunks:
                return data("/chunked/10/\(1 + size / 10)", dispatcher).then { $0.data?.count == 10 * (1 + size / 10) }
            case .redirects: return data("/redirect/3", dispatcher).then { $0.data?.isEmpty == false }
            case .slow: return data("/delay/20", dispatcher).then { $0.data?.isEmpty == false }
            case .post:
                let body = LoopbackPattern.data(count: size)
                return dispatcher.uploadFuture(from: post(), with: body).then { Self.isReceived(body, $0) }
            case .fileUpload:
                return dispatcher.uploadFuture(from: post(), withFile: file).then { Self.isReceived(Self.uploaded, $0) }
            case .chunkUpload:
                let parts = (0..<5).map { LoopbackPattern.data(in: $0 * 40_000..<($0 + 1) * 40_000) }
                let chunks = AsyncStream { continuation in
                    for part in parts { continuation.yield(part) }
                    continuation.finish()
                }
                return dispatcher.uploadFuture(from: post(), with: .chunks(TransferChunks(chunks)))
                    .then { Self.isReceived(Self.uploaded, $0) }
            case .download, .cutDownload:
                let path = work == .download ? "/bytes/\(size)" : "/fault/truncate"
                let file = folder.file("download-\(worker)")
                return dispatcher.downloadFuture(from: server.request(path), to: file)
                    .then { try Data(contentsOf: $0.data) == LoopbackPattern.data(count: size) }
            case .stream, .unreadStream, .leftStream, .heldStream, .cutStream:
                return stream(work, size, dispatcher)
            case .reset, .close, .truncated, .cutChunk, .resetMidBody, .cutHead, .garbage, .refused, .silent:
                return failure(work, dispatcher)
            }
        }

        private func failure(_ work: Work, _ dispatcher: URLRequestDispatcher) -> ResponseFuture<Bool> {
            switch work {
            case .silent:
                return dispatcher.dataFuture(from: server.request("/fault/stall-mid-body", timeout: 1)).then { _ in true
                }
            case .refused:
                return ResponseFuture { [server] in
                    _ = try await dispatcher.dataFuture(from: URLRequest(url: try server.refusingURL())).value
                    return true
                }
            default:
                let names: [Work: String] = [
                    .reset: "reset", .close: "close", .truncated: "truncate", .cutChunk: "truncate-chunk",
                    .resetMidBody: "reset-mid-body", .cutHead: "close-mid-head", .garbage: "garbage",
                ]
                return data("/fault/\(names[work] ?? "reset")", dispatcher).then { _ in true }
            }
        }

        private func stream(_ work: Work, _ size: Int, _ dispatcher: URLRequestDispatcher) -> ResponseFuture<Bool> {
            let path =
                switch work {
                case .stream: "/bytes/\(size)"
                case .cutStream: "/fault/truncate"
                default: "/bytes/20000000"
                }
            let stream = dispatcher.streamFuture(from: server.request(path))
            return ResponseFuture { [server] in
                let body = try await stream.value.data
                switch work {
                case .unreadStream: return true
                case .leftStream:
                    for try await chunk in body { return !chunk.isEmpty }
                    return false
                case .heldStream:
                    // Meanwhile the server fills all buffers, and back-pressure stops it.
                    _ = try await dispatcher.dataFuture(from: server.request("/delay/20")).value
                    var count = 0
                    for try await chunk in body {
                        count += chunk.count
                        if count > 5_000_000 { break }
                    }
                    return count > 5_000_000
                default:
                    var digest = LoopbackDigest()
                    for try await chunk in body { chunk.withUnsafeBytes { digest.update($0) } }
                    return digest.value == LoopbackPattern.digest(count: size)
                }
            }
        }

        private func data(_ path: String, _ dispatcher: URLRequestDispatcher) -> ResponseFuture<Response<Data?>> {
            dispatcher.dataFuture(from: server.request(path))
        }

        private func post() -> URLRequest {
            var request = server.request("/sink")
            request.httpMethod = "POST"
            return request
        }

        private static func isReceived(_ body: Data, _ response: Response<Data?>) -> Bool {
            let digest = LoopbackDigest.hexadecimal(LoopbackDigest.of(body))
            return response.data.text == "{\"count\":\(body.count),\"digest\":\"\(digest)\"}"
        }
    }
#endif
