import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies on their way to the server.
enum UploadChecks {
    static let all = [whole, chunks, emptyBody, failingChunks, wrongLength, missingFile, earlyAnswer]

    private static let whole = EngineCheck("uploads from memory and from a file arrive whole") { stand in
        for bytes in [1, 65_536, 300_001, 9_000_000] {
            let request = stand.request("/sink", method: .post)
            let data = LoopbackPattern.data(count: bytes)
            try expectWhole(await stand.dispatcher.uploadFuture(from: request, with: data).value, bytes: bytes)
            let file = try stand.makeFile(bytes: bytes)
            try expectWhole(await stand.dispatcher.uploadFuture(from: request, withFile: file).value, bytes: bytes)
        }
    }

    private static let chunks = EngineCheck("chunks arrive whole, with and without a length") { stand in
        for length in [nil, 250_000] as [Int64?] {
            let future = stand.dispatcher.uploadFuture(
                from: stand.request("/sink", method: .post), withChunks: PatternChunks(bytes: 250_000), length: length)
            try expectWhole(await future.value, bytes: 250_000)
            let header = try require(stand.server.requests(path: "/sink").last, "the request").header("Content-Length")
            if length != nil { try expect(header, is: "250000", "the announced length") }
        }
    }

    private static let emptyBody = EngineCheck("an empty body is sent as none") { stand in
        let request = stand.request("/sink", method: .post)
        try expectWhole(await stand.dispatcher.uploadFuture(from: request, with: Data()).value, bytes: 0)
        let empty = try stand.makeFile(bytes: 0)
        try expectWhole(await stand.dispatcher.uploadFuture(from: request, withFile: empty).value, bytes: 0)
        let none = PatternChunks(bytes: 0)
        try expectWhole(await stand.dispatcher.uploadFuture(from: request, withChunks: none).value, bytes: 0)
    }

    private struct ChunkError: Error {}

    private static let failingChunks = EngineCheck("an error of the chunks fails the upload") { stand in
        let chunks = AsyncThrowingStream { stream in
            stream.yield(Data("some".utf8))
            stream.finish(throwing: ChunkError())
        }
        let future = stand.dispatcher.uploadFuture(from: stand.request("/sink", method: .post), withChunks: chunks)
        let error = try await failure(of: "the upload") { try await future.value }
        try expect(error is ChunkError, "\(error) instead of what the chunks have thrown")
        try await stand.expectSoundEngine()
    }

    private static let wrongLength = EngineCheck("chunks of another length than announced fail the upload") { stand in
        for length in [9, 11] as [Int64] {
            let future = stand.dispatcher.uploadFuture(
                from: stand.request("/sink", method: .post), withChunks: PatternChunks(bytes: 10), length: length)
            let error = try await failure(of: "the upload") { try await future.value }
            let url = try expect(error, isOneOf: [.unreadableBody]).url
            try expect(url, is: stand.server.url("/sink"), "the URL of the error")
        }
        try expect(stand.server.requestCount(), is: 0, "the number of whole requests")
        try await stand.expectSoundEngine()
    }

    private static let missingFile = EngineCheck("a file that can't be read fails the upload") { stand in
        let missing = stand.folder.appending(path: "missing", directoryHint: .notDirectory)
        for file in [missing, stand.folder] {
            let future = stand.dispatcher.uploadFuture(from: stand.request("/sink", method: .post), withFile: file)
            let error = try await failure(of: "the upload") { try await future.value }
            try expect(error, isOneOf: [.fileNotFound])
        }
        try expect(stand.server.requestCount(), is: 0, "the number of requests")
    }

    private static let earlyAnswer = EngineCheck(
        "an answer before the end of the body is a response, or a lost connection"
    ) {
        stand in
        let body = LoopbackPattern.data(count: 16 << 20)
        let future = stand.dispatcher.uploadFuture(from: stand.request("/early-reply", method: .post), with: body)
        do { try expect(try await future.value.status, is: 413, "the status") } catch let error as TransferError {
            try expect(error, isOneOf: [.connectionLost, .truncated, .badResponse])
        }
        try await stand.expectSoundEngine()
    }

    /// Throws unless `/sink` has counted and digested this many bytes of the pattern.
    static func expectWhole(_ response: Response<Data?>, bytes: Int) throws {
        let digest = LoopbackDigest.hexadecimal(LoopbackPattern.digest(count: bytes))
        try expect(
            response.text, is: "{\"count\":\(bytes),\"digest\":\"\(digest)\"}", "what has arrived of \(bytes) bytes")
    }
}

/// The bytes of the pattern in chunks of different sizes, empty ones among them.
struct PatternChunks: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = Never

    let bytes: Int

    func makeAsyncIterator() -> Iterator { Iterator(rest: LoopbackPattern.data(count: bytes)) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Data
        var size = 0

        mutating func next() async -> Data? {
            guard !rest.isEmpty else { return nil }
            defer {
                rest = rest.dropFirst(size)
                size = size == 0 ? 1 : size > 40_000 ? 0 : size * 3
            }
            return Data(rest.prefix(size))
        }
    }
}
