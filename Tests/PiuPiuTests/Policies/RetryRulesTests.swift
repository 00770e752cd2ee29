import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The conditions of a retry", .timeLimit(.minutes(10)))
struct RetryRulesTests {
    private static let idempotent: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]
    private static let methods = HTTPMethod.allCases.map(\.rawValue) + ["get", "Put", "BREW", ""]

    /// How often a request is sent, if it always gets this answer.
    private func attempts(
        _ urlRequest: URLRequest, _ answer: MockAnswer, change: (inout RetryPolicy) -> Void = { _ in }
    ) async throws -> Int {
        var policy = RetryPolicy.fixed(SkippingClock())
        change(&policy)
        let server = scripted(answer)
        _ = await server.retrying(policy).dataFuture(from: urlRequest).statusOrError
        return server.exchanges.count
    }

    @Test(
        "R2 IDEMPOTENT, R3 WHAT: every status with every method",
        arguments: [200...299, 300...399, 400...499, 500...599])
    func statuses(range: ClosedRange<Int>) async throws {
        let retried: Set = [408, 425, 429, 500, 502, 503, 504]
        for method in Self.methods {
            let urlRequest = try request(method)
            // The request's own method counts: Foundation may have changed it.
            let isIdempotent = Self.idempotent.contains((urlRequest.httpMethod ?? "GET").uppercased())
            for status in range {
                let expected = retried.contains(status) && isIdempotent ? 3 : 1
                #expect(try await attempts(urlRequest, .number(status)) == expected, "\(method) \(status)")
            }
        }
    }

    @Test("R5 RETRY-AFTER: a response that asks for a longer wait than the policy's maximum is delivered")
    func maximumRetryAfter() async throws {
        let get = try request("GET")
        #expect(RetryPolicy().maximumRetryAfter == .seconds(60))
        for (seconds, maximum, expected) in [("60", 60, 3), ("61", 60, 1), ("61", 61, 3), ("6", 5, 1)] {
            let answer = MockAnswer.number(503, headers: ["Retry-After": seconds])
            let count = try await attempts(get, answer) { $0.maximumRetryAfter = .seconds(maximum) }
            #expect(count == expected, "\(seconds) of \(maximum)")
        }
    }

    @Test("R2 IDEMPOTENT, R3 WHAT: every error with every method", arguments: TransferError.Kind.allCases)
    func errors(kind: TransferError.Kind) async throws {
        let retried: Set<TransferError.Kind> = [
            .cannotConnect, .hostNotFound, .timedOut, .connectionLost, .truncated, .badResponse,
        ]
        let unsent: Set<TransferError.Kind> = [.cannotConnect, .hostNotFound]
        for method in Self.methods {
            let urlRequest = try request(method)
            let isIdempotent = Self.idempotent.contains((urlRequest.httpMethod ?? "GET").uppercased())
            let isRetried = retried.contains(kind) && (isIdempotent || unsent.contains(kind))
            #expect(try await attempts(urlRequest, .broken(kind)) == (isRetried ? 3 : 1), "\(method) \(kind)")
        }
    }

    @Test("R3 WHAT: never after a cancellation, or an error that isn't the network's")
    func never() async throws {
        let get = try request("GET"), url = try url("https://example.com")
        let errors: [any Error] = [
            CancellationError(), URLError(.cancelled), URLError(.badURL), Mishap(), RequestError.missingURL,
            FileTransferError(.cannotCreate, file: url), ResponseError.noResponse,
            TransferError(.truncated, url: URL(filePath: "/log")),
        ]
        for error in errors {
            #expect(try await attempts(get, .failure(error)) == 1, "\(error)")
        }
        #expect(
            try await attempts(get, .failure(URLError(.timedOut))) == 3, "as a dispatcher over URLSession may say it")
    }

    @Test("R2 IDEMPOTENT: a connection that fails after a redirect is no proof that nothing was sent")
    func redirected() throws {
        var error = TransferError(.cannotConnect)
        func isWanted(_ isIdempotent: Bool) -> Bool {
            RetryRules.standard.isWanted(
                after: ExchangeAttempt(number: 1, result: .failure(error)), isIdempotent: isIdempotent)
        }
        #expect(isWanted(true) && isWanted(false))
        error.isAfterRedirect = true
        #expect(isWanted(true) && !isWanted(false))
    }

    @Test("R2 IDEMPOTENT: an Idempotency-Key, or a mark, makes any method repeatable")
    func marked() async throws {
        var keyed = try request("POST")
        keyed.setValue("7", forHTTPHeaderField: "idempotency-key")
        #expect(try await attempts(keyed, .number(503)) == 3)
        #expect(try await attempts(keyed, .number(404)) == 1)
        let search = try request("POST", "https://example.com/search")
        for (urlRequest, count) in [(search, 3), (try request("POST"), 1)] {
            let sent = try await attempts(urlRequest, .broken(.timedOut)) {
                $0.isRepeatable = { $0.url?.path() == "/search" }
            }
            #expect(sent == count)
        }
    }

    @Test("R2 IDEMPOTENT: the policy adds a key where needed, once for each future")
    func addedKeys() async throws {
        var policy = RetryPolicy(clock: SkippingClock())
        policy.addsIdempotencyKey = true
        let server = scripted(.number(500)), dispatcher = server.retrying(policy)
        let post = dispatcher.dataFuture(from: try request("POST"))
        _ = await post.statusOrError
        _ = await dispatcher.dataFuture(from: try request("PATCH")).statusOrError
        _ = await dispatcher.dataFuture(from: try request("PUT")).statusOrError
        var own = try request("POST")
        own.setValue("own", forHTTPHeaderField: "Idempotency-Key")
        _ = await dispatcher.dataFuture(from: own).statusOrError
        let keys = server.exchanges.map { $0.urlRequest.value(forHTTPHeaderField: "Idempotency-Key") }
        #expect(keys.count == 12)
        let uuid = /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"/
        #expect(keys[0]?.wholeMatch(of: uuid) != nil && keys[3]?.wholeMatch(of: uuid) != nil)
        #expect(Set(keys[0..<3]).count == 1 && Set(keys[3..<6]).count == 1 && keys[0] != keys[3])
        #expect(Set(keys[6..<9]) == [nil] && Set(keys[9..<12]) == ["own"])
    }

    @Test("R3 WHAT: the user can change the sets")
    func changedSets() async throws {
        let get = try request("GET"), post = try request("POST")
        #expect(try await attempts(get, .number(404)) { $0.statuses.insert(.notFound) } == 3)
        #expect(try await attempts(get, .number(500)) { $0.statuses.remove(.internalServerError) } == 1)
        #expect(try await attempts(get, .broken(.other)) { $0.errors = [.other] } == 3)
        #expect(try await attempts(get, .broken(.timedOut)) { $0.errors = [.other] } == 1)
        #expect(try await attempts(post, .number(500)) { $0.methods.insert(.post) } == 3)
        #expect(try await attempts(get, .number(500)) { $0.methods = [] } == 1)
        #expect(try await attempts(get, .broken(.cannotConnect)) { $0.methods = [] } == 3)
    }

    @Test("R3 WHAT: a closure decides once after each attempt, but not after a cancellation")
    func decision() async throws {
        let log = EventLog()
        let decision: RetryPolicy.Decision = { urlRequest, attempt, isWanted in
            log("\(urlRequest.httpMethod ?? "") \(attempt.number) \(attempt.statusCode?.rawValue ?? 0) \(isWanted)")
            return attempt.statusCode == .accepted || attempt.error is Mishap
        }
        #expect(try await attempts(request("GET"), .number(202)) { $0.decision = decision } == 3)
        #expect(log.events == ["GET 1 202 false", "GET 2 202 false", "GET 3 202 false"])
        #expect(try await attempts(request("GET"), .number(500)) { $0.decision = decision } == 1)
        #expect(log.events.last == "GET 1 500 true")
        #expect(try await attempts(request("POST"), .failure(Mishap())) { $0.decision = decision } == 3)
        let count = log.events.count
        #expect(try await attempts(request("GET"), .failure(CancellationError())) { $0.decision = decision } == 1)
        #expect(log.events.count == count)
    }
}
