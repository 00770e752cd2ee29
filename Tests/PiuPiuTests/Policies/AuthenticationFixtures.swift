import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server that accepts one key, answers others with 401, and records the keys that it received, in order.
final class KeyServer: MockDispatcher {
    private let state: Locked<(valid: Int, sent: [String])>
    /// Called before each answer.
    private let hook: @Sendable (URLRequest) async throws -> Void

    init(accepting key: Int, hook: @escaping @Sendable (URLRequest) async throws -> Void = { _ in }) {
        state = Locked((key, []))
        self.hook = hook
    }

    var sent: [String] { state.withLock { $0.sent } }

    func accept(_ key: Int) { state.withLock { $0.valid = key } }

    func answer(to urlRequest: URLRequest) async throws -> Response<Data?> {
        let key = urlRequest.value(forHTTPHeaderField: "X-Key") ?? "none"
        state.withLock { $0.sent.append(key) }
        try await hook(urlRequest)
        let isValid = state.withLock { "\($0.valid)" == key }
        return Response.makeMockResponse(
            with: urlRequest, data: Data("text".utf8), statusCode: isValid ? .ok : .unauthorized)
    }
}

/// An authenticator of numbered keys for `https://example.com`.
func keys(
    _ key: Int?, for origin: String = "https://example.com/api", clock: any Clock<Duration> = ManualClock(),
    refresh: @escaping @Sendable (Int) async throws -> Int = { $0 + 1 },
    now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 0) }
) throws -> Authenticator<Int> {
    Authenticator(key, for: try url(origin), clock: clock, now: now) { request, key in
        request.setValue("\(key)", forHTTPHeaderField: "X-Key")
    } refresh: { old in
        try await refresh(old)
    }
}

extension Authenticator where Credential: Equatable {
    /// Suspends until this is the credential.
    func holds(_ credential: Credential?) async {
        for await current in credentials where current == credential { return }
    }
}

/// A refresh that counts its calls and waits at a gate, deaf to cancellation.
struct GatedRefresh: Sendable {
    let gate = Gate()
    let count = Counter()
    var result: Result<Int, any Error> = .success(2)

    func callAsFunction(_ old: Int) async throws -> Int {
        count.increment()
        await gate.pass()
        return try result.get()
    }
}

extension ResponseFuture where Success: ResponseInterface {
    /// The status, or the name of the error.
    var statusOrName: String {
        get async {
            do {
                return try await "\(value.head.status ?? 0)"
            } catch is CancellationError {
                return "cancelled"
            } catch let error as AuthenticationError {
                return error.errorKey.replacing("AuthenticationError.", with: "")
            } catch {
                return "\(error)"
            }
        }
    }
}

/// The outcomes of `count` concurrent requests, and how often each occurred.
func outcomes(
    _ count: Int, of dispatcher: some DataDispatcher, _ request: URLRequest
) async -> [String: Int] {
    await withTaskGroup(of: String.self) { group in
        for _ in 0..<count { group.addTask { await dispatcher.dataFuture(from: request).statusOrName } }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
