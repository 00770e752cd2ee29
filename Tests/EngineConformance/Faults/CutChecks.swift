import Foundation
import LoopbackServer
import PiuPiu

/// A connection that ends at each byte of a response, by a close and by a reset.
enum CutChecks {
    static let all = TransferKind.allCases.flatMap { kind in
        responses.flatMap { name, text in
            [check(kind, name, text, "closed", .close), check(kind, name, text, "reset", .reset)]
        }
    }

    private static let responses = [
        ("a plain response", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Other: value\r\n\r\nwhole"),
        (
            "a chunked response",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nwh\r\n3;x=y\r\nole\r\n0\r\nX-Trailer: value\r\n\r\n"
        ),
    ]

    private static func check(
        _ kind: TransferKind, _ name: String, _ text: String, _ verb: String, _ ending: LoopbackReply.Step
    ) -> EngineCheck {
        EngineCheck("\(kind), \(name) \(verb) at every byte") { stand in
            try kind.prepare(stand)
            let bytes = Data(text.utf8)
            for count in 0..<bytes.count {
                stand.server.handle("*", "/cut", reply: LoopbackReply(steps: [.raw(bytes.prefix(count)), ending]))
                let result: TransferResult
                do { result = try await kind.future(of: stand.server.url("/cut"), on: stand).value } catch {
                    try expect(error, isOneOf: [.connectionLost, .truncated, .badResponse])
                    try kind.expectIntactDestination(on: stand)
                    continue
                }
                // All of the body has been there.
                try expect(result.body, is: Data("whole".utf8), "the body after \(count) bytes")
                try expect(bytes.count - count <= 24, "a response that ends after \(count) bytes is one")
                try kind.prepare(stand)
            }
            try await stand.expectSoundEngine()
        }
    }
}
