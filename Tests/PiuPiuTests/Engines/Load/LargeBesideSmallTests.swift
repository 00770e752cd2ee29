import Dispatch
import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A large response must not hold up other exchanges.
@Suite("Large responses beside small ones", .timeLimit(.minutes(10)))
struct LargeBesideSmallTests {
    #if os(Linux)
        /// Small exchanges, one after the other, and how much of a large one arrives meanwhile. All of it happens on
        /// the engine's thread, so that it waits for no other test.
        private struct SmallExchanges: Sendable {
            static let count = 20

            let engine: CurlEngine
            let request: TransferRequest
            let received = Locked(0)
            let meanwhile = Locked<[Int]>([])
            let areEnough = Gate()

            func start() {
                let before = received.withLock { $0 }
                _ = engine.start(request) { event in
                    guard event.isTerminal else { return }
                    guard case .finished = event else { return areEnough.open() }
                    let count = meanwhile.withLock { meanwhile in
                        meanwhile.append(received.withLock { $0 } - before)
                        return meanwhile.count
                    }
                    if count < Self.count { start() } else { areEnough.open() }
                }
            }

            /// A part of the large response. Handling it takes so long that the server always has the next one ready.
            func receive(_ chunk: Data) {
                let end = ContinuousClock.now + .microseconds(300)
                while ContinuousClock.now < end {}
                let isFirst = received.withLock { received in
                    defer { received += chunk.count }
                    return received == 0
                }
                if isFirst { start() }
            }
        }

        @Test("PROMPT: a small response arrives within a few megabytes of a large one")
        func fairness() async throws {
            let server = try LoopbackServer.start()
            let engine = try #require(CurlEngine(configuration: .ephemeral))
            let small = SmallExchanges(engine: engine, request: TransferRequest(server.request("/text")))
            // Minutes long, so that it doesn't end before a server whose threads are held up has answered the others.
            let large = engine.start(TransferRequest(server.request("/bytes/\(64 << 30)"))) { event in
                if case .body(let chunk) = event { small.receive(chunk) }
                if event.isTerminal { small.areEnough.open() }
            }
            await small.areEnough.opened()
            large.cancel()
            let meanwhile = small.meanwhile.withLock { $0 }
            // The fastest one, as a busy machine may delay the server's answers.
            #expect(try #require(meanwhile.min(), "none came before the large one had ended") < 8 << 20, "\(meanwhile)")
        }
    #endif

    /// An engine whose exchange delivers what the test says, on a thread of its own.
    private struct ToldEngine: TransferEngine {
        struct Handle: TransferHandle {
            func cancel() {}
        }

        let tell: @Sendable (@escaping @Sendable (TransferEvent) -> Void) -> Void

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            Thread.detachNewThread { tell(onEvent) }
            return Handle()
        }

        func finishTasksAndInvalidate() {}
        func invalidateAndCancel() {}
    }

    @Test("PROMPT: a slow observer of a response that turns out large doesn't block its engine", arguments: [0, 1])
    func turnsOutLarge(excess: Int) async throws {
        let chunk = Data((0..<64 << 10).map { UInt8(truncatingIfNeeded: $0 / 256) })
        let count = 20
        let hasTold = Gate(), mayGoOn = DispatchSemaphore(value: 0)
        let request = TransferRequest(URLRequest(url: try url("http://host/a"), timeoutInterval: 600))
        let head = TransferHead(url: try url("http://host/a"), status: 200)
        let engine = ToldEngine { onEvent in
            onEvent(.head(head, request: request.urlRequest))
            for index in 0..<count { onEvent(.body(Data([UInt8(index)]) + chunk)) }
            hasTold.open()
            onEvent(.finished)
        }
        let events = Log<TransferEvent>()
        // The first mebibyte is delivered on the engine's thread, and the rest is not.
        let limit = (1 << 20) / (chunk.count + 1)
        let handle = TransferDriver(engine).start(request) { event in
            if case .body = event, events.all.count == limit + 1 + excess { mayGoOn.wait() }
            events.append(event)
        }
        await hasTold.opened()
        mayGoOn.signal()
        let all = await events.untilTheEnd()
        let bodies = all.compactMap { event -> Data? in if case .body(let data) = event { data } else { nil } }
        #expect(bodies.map(\.first) == (0..<count).map { UInt8($0) })
        #expect(bodies.allSatisfy { $0.dropFirst() == chunk })
        withExtendedLifetime(handle) {}
    }
}
