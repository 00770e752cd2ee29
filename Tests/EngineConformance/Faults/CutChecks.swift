import Foundation
import LoopbackServer
import PiuPiu

/// A connection that ends at each byte of a response, by a close and by a reset.
enum CutChecks {
    static let all = CutResponse.all.flatMap { response in
        TransferKind.allCases.flatMap { kind in
            [check(kind, response, "closed", .close), check(kind, response, "reset", .reset)]
        } + [delivery(response, "closed", .close), delivery(response, "reset", .reset)]
    }

    private static let whole = Data("whole".utf8)

    private static func check(
        _ kind: TransferKind, _ response: CutResponse, _ verb: String, _ ending: LoopbackReply.Step
    ) -> EngineCheck {
        EngineCheck("\(kind), \(response.name) \(verb) at every byte") { stand in
            try kind.prepare(stand)
            let bytes = response.bytes
            for count in 0..<bytes.count {
                stand.server.handle("*", "/cut", reply: LoopbackReply(steps: [.raw(bytes.prefix(count)), ending]))
                let result: TransferResult
                do { result = try await kind.future(of: stand.server.url("/cut"), on: stand).value } catch {
                    try expect(error, isOneOf: [.connectionLost, .truncated, .badResponse])
                    try kind.expectIntactDestination(on: stand)
                    continue
                }
                // All of the body had arrived.
                try expect(result.body, is: whole, "the body after \(count) bytes")
                try expect(bytes.count - count <= 24, "a response that ends after \(count) bytes is one")
                try kind.prepare(stand)
            }
            try await stand.expectSoundEngine()
        }
    }

    /// The reader of a stream gets what was sent before the end, and the error after it.
    private static func delivery(
        _ response: CutResponse, _ verb: String, _ ending: LoopbackReply.Step
    ) -> EngineCheck {
        EngineCheck("stream, \(response.name) \(verb) at every byte of its body: what came before is delivered") {
            stand in
            let bytes = response.bytes
            for count in response.headCount..<bytes.count {
                stand.server.handle("*", "/cut", reply: LoopbackReply(steps: [.raw(bytes.prefix(count)), ending]))
                var body = Data()
                do {
                    let stream = try await stand.dispatcher.streamFuture(from: stand.request("/cut")).value.data
                    for try await chunk in stream { body += chunk }
                    try expect(body, is: whole, "the body after \(count) bytes")
                } catch let error as TransferError {
                    try expect(error, isOneOf: [.connectionLost, .truncated, .badResponse])
                }
                let sent = response.body(in: count)
                switch ending {
                // The system may discard what arrived before a reset.
                case .reset: try expect(sent.starts(with: body), "after \(count) bytes came \(body) and not \(sent)")
                default: try expect(body, is: sent, "what was delivered of \(count) bytes")
                }
            }
            try await stand.expectSoundEngine()
        }
    }
}
