import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Bodies that are read while they arrive.
enum StreamChecks {
    static let all = [whole, beforeTheEnd, slowReader, earlyLeave, failure]

    private static let whole = EngineCheck("streams: the body is whole") { stand in
        let response = try await stand.dispatcher.streamFuture(from: stand.request("/bytes/3000000")).value
        try expect(response.status, is: 200, "the status")
        var digest = LoopbackDigest()
        for try await chunk in response.data { chunk.withUnsafeBytes { digest.update($0) } }
        try expect(digest.value, is: LoopbackPattern.digest(count: 3_000_000), "the digest")
    }

    private static let beforeTheEnd = EngineCheck("streams: what has arrived is there before the end") { stand in
        let gate = LoopbackGate()
        let parts = [Data("first".utf8), Data("second".utf8)]
        stand.server.handle("GET", "/parts", reply: .chunked(parts) { $0 == 1 ? [.gate(gate)] : [] })
        let response = try await stand.dispatcher.streamFuture(from: stand.request("/parts")).value
        var chunks = response.data.makeAsyncIterator()
        try expect(try await chunks.next(), is: parts[0], "the first part")
        gate.open()
        try expect(try await chunks.next(), is: parts[1], "the second part")
        try expect(try await chunks.next(), is: nil, "the end")
    }

    private static let slowReader = EngineCheck("streams: a slow reader gets everything") { stand in
        let response = try await stand.dispatcher.streamFuture(from: stand.request("/bytes/12000000")).value
        var chunks = response.data.makeAsyncIterator()
        // Other requests run meanwhile.
        var digest = LoopbackDigest()
        var count = 0
        while let chunk = try await chunks.next() {
            chunk.withUnsafeBytes { digest.update($0) }
            count += 1
            if count % 50 == 1 { try await stand.expectSoundEngine() }
        }
        try expect(digest.value, is: LoopbackPattern.digest(count: 12_000_000), "the digest")
    }

    private static let earlyLeave = EngineCheck("streams: leaving the loop early cancels the transfer") { stand in
        let gate = LoopbackGate()
        let head = LoopbackReply.Step.head(status: 200, headers: [LoopbackHeader("Content-Length", "200000")])
        stand.server.handle(
            "GET", "/endless", reply: LoopbackReply(steps: [head, .pattern(count: 100_000), .gate(gate)]))
        do {
            let response = try await stand.dispatcher.streamFuture(from: stand.request("/endless")).value
            for try await _ in response.data { break }
        }
        try await stand.server.waitUntilIdle()
        try expect(!gate.isOpen, "the gate is open")
        try await stand.expectSoundEngine()
    }

    private static let failure = EngineCheck("streams: a failure comes after what has arrived") { stand in
        let response = try await stand.dispatcher.streamFuture(from: stand.request("/fault/truncate")).value
        var body = Data()
        do {
            for try await chunk in response.data { body += chunk }
            throw EngineMisbehaviour("a truncated stream has come to its end")
        } catch let error as TransferError {
            try expect(error, isOneOf: [.truncated])
        }
        try expect(body, is: LoopbackPattern.data(count: 50), "what has arrived")
    }
}
