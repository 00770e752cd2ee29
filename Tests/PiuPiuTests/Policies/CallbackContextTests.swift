import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a callback starts is no part of the exchange that it belongs to.
@Suite("Callbacks of requests with policies", .timeLimit(.oneProcessAtATime))
struct CallbackContextTests {
    fileprivate static func context(of name: String) -> String {
        "\(name): \(Deadline.current == nil ? "no deadline" : "deadline"), \(ExchangeLocals.current == nil)"
    }

    private static func dispatchers() -> [any DataDispatcher] {
        let bases: [any DataDispatcher] = [
            scripted(.text("text")), URLRequestDispatcher(engine: CacheOrigin { _, _ in .init() }),
        ]
        return bases.map { base -> any DataDispatcher in
            base.retrying().deadline(.seconds(3600)).observed(by: ObservedEvents())
        }
    }

    /// Keeps its thread busy until then.
    private func wait(for event: DispatchSemaphore) {
        #expect(event.wait(timeout: .now() + 300) == .success)
    }

    @Test("D1 TOTAL: a callback that an update has begun to deliver doesn't inherit the deadline")
    @MainActor
    func slots() async throws {
        for dispatcher in Self.dispatchers() {
            let isSettled = DispatchSemaphore(value: 0), isOver = Gate(), found = EventLog()
            let signal: @Sendable () -> Void = { isSettled.signal() }
            let future = dispatcher.dataFuture(from: try request("GET"))
                .updated { _ in }
                .success { _ in found(Self.context(of: "success")) }
                .completion {
                    found(Self.context(of: "completion"))
                    isOver.open()
                }
                .onCompletion(signal)
            future.send()
            // The main actor is busy, so that the delivery of the first update is on its way when the future settles.
            wait(for: isSettled)
            await isOver.opened()
            #expect(found.events == ["success: no deadline, true", "completion: no deadline, true"])
        }
    }

    /// Awaits a future whose callback blocks a thread of the pool until the awaiter has continued.
    private static func checkObservers() async throws {
        for dispatcher in Self.dispatchers() {
            let isSettled = DispatchSemaphore(value: 0), isOver = Gate(), found = EventLog()
            let future = dispatcher.dataFuture(from: try request("GET"))
                .onUpdate { _ in
                    _ = isSettled.wait(timeout: .now() + 300)
                    isSettled.signal()
                }
                .onSuccess { _ in found(Self.context(of: "success")) }
                .onCompletion { isOver.open() }
            _ = try await future.value
            isSettled.signal()
            await isOver.opened()
            try #require(found.events == ["success: no deadline, true"])
        }
    }

    #if os(Linux) || os(macOS)
        // In a process of its own, as it blocks a thread of the pool, which may have only two.
        @Test(
            "D1 TOTAL: a callback of the modern family doesn't, either", .oneProcessAtATime,
            .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
        func observers() async {
            await #expect(processExitsWith: .success) { try await CallbackContextTests.checkObservers() }
        }
    #endif

    @Test("D1 TOTAL: nor does a callback of another future that is started inside an exchange")
    func inside() async throws {
        struct Adapter: RequestAdapter {
            let found: EventLog

            func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
                let isOver = Gate()
                ResponseFuture { 1 }
                    .onSuccess { _ in found(CallbackContextTests.context(of: "inside")) }
                    .onCompletion { isOver.open() }
                    .send()
                await isOver.opened()
                return urlRequest
            }
        }
        let found = EventLog()
        let origin = CacheOrigin { _, _ in .init() }
        let dispatcher = URLRequestDispatcher(engine: origin, requestAdapter: Adapter(found: found))
            .deadline(.seconds(3600))
        #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrStage == "200")
        #expect(found.events == ["inside: no deadline, true"])
    }
}
