import Foundation
import LoopbackServer
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Uploads that are collected first", .timeLimit(.minutes(10)))
struct SpooledUploadTests {
    private let server: LoopbackServer
    private let dispatcher = URLRequestDispatcher(engine: .urlSession(.ephemeral))

    init() throws {
        server = try LoopbackServer.start()
    }

    private func post(_ path: String) -> URLRequest {
        var request = server.request(path)
        request.httpMethod = "POST"
        return request
    }

    @Test(
        "L1 OUTSIDE, MEMORY: the chunks of an upload aren't asked for before its turn has come",
        arguments: [false, true])
    func inTurn(isLimited: Bool) async throws {
        let log = EventLog(), gate = LoopbackGate(), started = Watched(0)
        defer { gate.open() }
        server.handle("POST", "/held") { _ in
            log("arrived")
            return .text("held").gated(by: gate)
        }
        let configuration = URLSessionConfiguration.ephemeral
        if !isLimited { configuration.httpMaximumConnectionsPerHost = 1 }
        let network = URLRequestDispatcher(engine: .urlSession(configuration))
        let dispatcher = isLimited ? network.limited(to: 1) : network
        let futures = (0..<20).map { _ in
            let chunks = AskedChunks(1) { number in
                if number == 1 { log("asked") }
            }
            return dispatcher.uploadFuture(from: post("/held"), withChunks: chunks).onUpdate { update in
                if update.stage == .started { started.withLock { $0 += 1 } }
            }
        }
        for future in futures { future.send() }
        await started.wait { $0 == 20 }
        gate.open()
        for future in futures { #expect(try await future.value.head.status == 200) }
        #expect(log.events == Array(repeating: ["asked", "arrived"], count: 20).flatMap(\.self))
    }

    @Test("An upload that can't be sent is a typed error at once, and no chunk is asked for")
    func refused() async throws {
        let chunks = AskedChunks(1), get = server.request("/sink")
        await #expect(throws: InvalidRequestError.bodyInGet(url: server.url("/sink"))) {
            _ = try await dispatcher.uploadFuture(from: get, withChunks: chunks).value
        }
        dispatcher.finishTasksAndInvalidate()
        let error = await #expect(throws: TransferError.self) {
            _ = try await dispatcher.uploadFuture(from: post("/sink"), withChunks: chunks).value
        }
        #expect(error?.kind == .sessionInvalidated)
        #expect(chunks.asked.withLock { $0 } == 0)
    }

    private enum Traits {
        @TaskLocal static var name = "nobody"
    }

    @Test("INHERIT: chunks are collected with the task-local values of the task that starts the upload")
    func taskLocals() async throws {
        let names = Log<String>()
        let chunks = AskedChunks(1) { _ in names.append(Traits.name) }
        let response = try await Traits.$name.withValue("caller") {
            try await dispatcher.uploadFuture(from: post("/sink"), withChunks: chunks).value
        }
        #expect(response.head.status == 200 && names.all == ["caller", "caller"])
    }
}
