import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request on a reused connection, which the server closes instead of answering.
enum OnceChecks {
    static let all =
        ["POST", "PATCH", "LOCK"].flatMap { [check($0, hasBody: false), check($0, hasBody: true)] } + [again]

    private static let rounds = 150

    private static func check(_ method: String, hasBody: Bool) -> EngineCheck {
        EngineCheck("\(method) with\(hasBody ? "" : "out") a body is not sent twice") { stand in
            stand.server.handle("*", "/drop", reply: LoopbackReply(steps: [.close]))
            for round in 1...rounds {
                _ = try await stand.load("/text")
                var request = stand.request("/drop")
                request.httpMethod = method
                let future = stand.dispatcher.uploadFuture(from: request, with: Data((hasBody ? "body" : "").utf8))
                let error = try await failure(of: "it") { try await future.value }
                try expect(error, isOneOf: [.connectionLost, .badResponse])
                try await stand.server.waitUntilIdle()
                try expect(stand.server.requestCount(path: "/drop"), is: round, "the number of requests")
            }
        }
    }

    /// The engine decides whether to send it again; if it does, it must send all of it.
    private static let again = EngineCheck("an idempotent request is sent twice at most, and whole") { stand in
        let body = LoopbackPattern.data(count: 100_000)
        stand.server.handle("PUT", "/drop-first") { request in
            stand.server.requestCount(path: "/drop-first") % 2 == 1
                ? LoopbackReply(steps: [.close]) : .text(request.body == body ? "whole" : "torn")
        }
        for _ in 1...20 {
            _ = try await stand.load("/text")
            stand.server.forgetRequests()
            let future = stand.dispatcher.uploadFuture(from: stand.request("/drop-first", method: .put), with: body)
            do {
                try expect(try await future.value.text, is: "whole", "what the server has got")
            } catch let error as TransferError {
                try expect(error, isOneOf: [.connectionLost, .badResponse])
            }
            try await stand.server.waitUntilIdle()
            try expect(stand.server.requestCount(path: "/drop-first") <= 2, "it is sent more often than twice")
        }
    }
}
