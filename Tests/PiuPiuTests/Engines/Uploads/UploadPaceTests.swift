#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    @Suite("The pace of uploads", .timeLimit(.minutes(10)))
    struct UploadPaceTests {
        /// An upload to a network that has a speed, behind a socket that has a buffer.
        private struct Upload {
            var pace = UploadPace()
            var now: UInt64 = 0
            var offset: Int64 = 0
            var parts: [Int] = []

            /// The network takes so many bytes, one part at a time, each as soon as the one before is gone.
            mutating func send(_ count: Int64, bytesPerSecond: Double) {
                let end = offset + count
                while offset < end {
                    let part = pace.nextPart(at: now, offset: offset)
                    parts.append(part)
                    offset += Int64(part)
                    now += UInt64(Double(part) / bytesPerSecond * 1e9)
                }
            }
        }

        private let mebibyte: Int64 = 1 << 20

        @Test("Few bytes don't show that a network is fast, as the buffer of a socket takes them at once")
        func beginning() {
            var upload = Upload()
            upload.send(UploadPace.window, bytesPerSecond: 1e12)
            #expect(upload.parts.allSatisfy { $0 == UploadPace.firstPart })
            #expect(upload.offset == UploadPace.window)
            upload.parts = []
            upload.send(8 * mebibyte, bytesPerSecond: 1e12)
            #expect(upload.parts.allSatisfy { $0 == UploadPace.largestPart })
        }

        @Test("A network that is slow from the start has one part of the usual size, and then small ones")
        func slowBeginning() {
            var upload = Upload()
            upload.send(mebibyte, bytesPerSecond: 10_000)
            #expect(upload.parts.first == UploadPace.firstPart)
            #expect(upload.parts.dropFirst().allSatisfy { $0 == UploadPace.smallestPart })
        }

        @Test("A part is as large as what the network takes in a tenth of a second", arguments: [1e6, 2e6, 4e6])
        func tenth(bytesPerSecond: Double) {
            var upload = Upload()
            upload.send(20 * mebibyte, bytesPerSecond: bytesPerSecond)
            let last = upload.parts.suffix(10)
            #expect(last.allSatisfy { abs(Double($0) - bytesPerSecond / 10) < 2 }, "\(last)")
        }

        @Test("A slow network gets small parts, also if the socket takes many of them at once, again and again")
        func bursts() {
            var upload = Upload()
            upload.send(3 * mebibyte, bytesPerSecond: 1e12)
            upload.parts = []
            for _ in 0..<50 {
                upload.now += 8_000_000_000
                upload.send(mebibyte / 2, bytesPerSecond: 1e12)
            }
            #expect(upload.parts.allSatisfy { $0 == UploadPace.smallestPart })
        }

        @Test("A network that becomes slow gets one large part more")
        func slower() {
            var upload = Upload()
            upload.send(40 * mebibyte, bytesPerSecond: 50e6)
            #expect(upload.parts.last == UploadPace.largestPart)
            upload.parts = []
            upload.send(mebibyte, bytesPerSecond: 10_000)
            #expect(upload.parts.first == UploadPace.largestPart)
            #expect(upload.parts.dropFirst().allSatisfy { $0 < 2 * UploadPace.smallestPart }, "\(upload.parts)")
        }

        @Test("A network that becomes fast gets large parts")
        func faster() {
            var upload = Upload()
            upload.send(10 * mebibyte, bytesPerSecond: 10_000)
            upload.send(20 * mebibyte, bytesPerSecond: 50e6)
            #expect(upload.parts.last == UploadPace.largestPart)
        }

        @Test("Neither a clock that stands still nor one that runs backwards matters")
        func clock() {
            var pace = UploadPace()
            #expect(pace.nextPart(at: 5, offset: 0) == UploadPace.firstPart)
            #expect(pace.nextPart(at: 5, offset: mebibyte) == UploadPace.firstPart)
            #expect(pace.nextPart(at: 0, offset: 5 * mebibyte) == UploadPace.largestPart)
            #expect(pace.nextPart(at: .max, offset: .max) == UploadPace.largestPart)
        }

        enum Body: CaseIterable {
            case data, file, chunks
        }

        @Test("UPDATES: the parts of an upload are not too large, and still smaller at first", arguments: Body.allCases)
        func parts(of kind: Body) async throws {
            let server = try LoopbackServer.start(), folder = try TemporaryFolder(), log = Log<TransferEvent>()
            let data = LoopbackPattern.data(count: 20 << 20)
            let body: TransferBody
            switch kind {
            case .data: body = .data(data)
            case .file:
                try data.write(to: folder.file("f"))
                body = .file(folder.file("f"))
            case .chunks:
                let chunks = AsyncStream { continuation in
                    continuation.yield(data)
                    continuation.finish()
                }
                body = .chunks(TransferChunks(chunks))
            }
            var request = server.request("/sink")
            request.httpMethod = "POST"
            let engine = try #require(CurlEngine(configuration: .ephemeral))
            let handle = engine.start(TransferRequest(request, body: body)) { log.append($0) }
            defer { handle.cancel() }
            _ = await log.first { $0.isTerminal }
            let sent = log.all.compactMap { if case .sent(let bytes, _) = $0 { bytes } else { nil } }
            let sizes = zip(sent, [0] + sent).map { $0 - $1 }
            let early = zip(sizes, sent).prefix { $1 <= UploadPace.window }.map(\.0)
            #expect(sizes.first == Int64(UploadPace.firstPart))
            #expect(early.allSatisfy { $0 <= Int64(UploadPace.firstPart) }, "\(early)")
            #expect(sizes.allSatisfy { (1...Int64(UploadPace.largestPart)).contains($0) }, "\(sizes)")
            #expect(sent.last == Int64(data.count))
        }
    }
#endif
