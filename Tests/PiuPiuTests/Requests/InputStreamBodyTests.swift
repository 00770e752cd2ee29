import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The body stream of a URLRequest", .timeLimit(.minutes(10)))
struct InputStreamBodyTests {
    /// What the streams of a test do and have done; only they are not `Sendable`.
    private final class Script: Sendable {
        struct Waits: Sendable {
            var waiting = 0
            var inTime = true
        }

        let hasRead = Gate()
        let hasClosed = Gate()
        /// How many reads wait, and whether all were released in time.
        let waits = Watched(Waits())
        let release = DispatchSemaphore(value: 0)
        let blocks: Bool
        let reads: Locked<[Int]>

        init(_ reads: [Int], blocks: Bool = false) {
            self.reads = Locked(reads)
            self.blocks = blocks
        }
    }

    /// A stream whose reads bring as many bytes as its script says, and wait if it says so.
    private final class ScriptedStream: InputStream {
        private let script: Script

        init(_ script: Script) {
            self.script = script
            super.init(data: Data())
        }

        override func open() {}

        override func close() { script.hasClosed.open() }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            if script.blocks {
                script.waits.withLock { $0.waiting += 1 }
                script.hasRead.open()
                // A limit, so that a test that fails also ends.
                if script.release.wait(timeout: .now() + 300) == .timedOut {
                    script.waits.withLock { $0.inTime = false }
                }
            }
            let count = script.reads.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
            for index in 0..<max(0, min(count, length)) { buffer[index] = UInt8(truncatingIfNeeded: count) }
            return count
        }
    }

    private func chunks(_ script: Script) throws -> TransferChunks {
        var request = URLRequest(url: try url("http://host/a"))
        request.httpBodyStream = ScriptedStream(script)
        return try #require(try TransferBody(of: request).chunks())
    }

    @Test("Its bytes arrive in order, and each chunk has only its own")
    func bytes() async throws {
        let script = Script([3, 65_536, 1, 2])
        var all: [Data] = []
        for try await chunk in try chunks(script) { all.append(chunk) }
        #expect(all == [3, 65_536, 1, 2].map { Data(repeating: UInt8(truncatingIfNeeded: $0), count: $0) })
        await script.hasClosed.opened()
    }

    @Test("A read that waits, as on a pipe, holds up no task of the process")
    func blocking() async throws {
        let script = Script([], blocks: true)
        // As many as the process has threads for its tasks.
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let chunks = try chunks(script)
                group.addTask { for try await _ in chunks {} }
            }
            await script.hasRead.opened()
            group.addTask {
                await script.waits.wait { $0.waiting == count || !$0.inTime }
                for _ in 0..<count { script.release.signal() }
            }
            try await group.waitForAll()
        }
        #expect(script.waits.withLock { $0.waiting == count && $0.inTime })
    }

    @Test("It is closed when the rest of it isn't wanted any more")
    func dropped() async throws {
        let script = Script([1, 1, 1])
        for try await chunk in try chunks(script) {
            #expect(chunk == Data([1]))
            break
        }
        await script.hasClosed.opened()
        #expect(script.reads.withLock { $0.count } == 2)
    }

    @Test("A cancelled task reads no more of it, and closes it")
    func cancelled() async throws {
        let script = Script([1, 1, 1], blocks: true), chunks = try chunks(script)
        let task = Task {
            var count = 0
            for try await _ in chunks { count += 1 }
            return count
        }
        await script.hasRead.opened()
        task.cancel()
        script.release.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        await script.hasClosed.opened()
        #expect(script.reads.withLock { $0.count } == 2)
    }

    @Test("A stream that can't be read is an error with the URL, and is closed")
    func unreadable() async throws {
        let script = Script([1, -1])
        let error = await #expect(throws: TransferError.self) { for try await _ in try chunks(script) {} }
        #expect(error?.kind == .unreadableBody && error?.url?.absoluteString == "http://host/a")
        await script.hasClosed.opened()
    }
}
