import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Streams whose head is being adapted", .timeLimit(.minutes(10)))
struct AdaptedStreamTests {
    private struct DeafAdapter: ResponseAdapter {
        let gate: Gate

        func adapt(_ response: URLResponse, for urlRequest: URLRequest) async throws -> URLResponse {
            await gate.pass()
            return response
        }
    }

    @Test(
        "UP, D2 PROMPT: the transfer ends with the future, though the adapter goes on", arguments: [false, true],
        [false, true])
    func end(isByDeadline: Bool, isPolicy: Bool) async throws {
        let engine = DirectedEngine(), gate = Gate(), clock = ManualClock(), get = try request("GET")
        let plain = URLRequestDispatcher(engine: engine), deaf = DeafAdapter(gate: gate)
        let network: any StreamDispatcher =
            isPolicy
            ? plain.validating().adapting(responseAdapter: deaf) : plain.adapting(responseAdapter: deaf)
        let future =
            isByDeadline
            ? network.deadline(.seconds(5), clock: clock).streamFuture(from: get) : network.streamFuture(from: get)
        let task = Task { await future.statusOrStage }
        await engine.started(1)
        engine.head(0)
        await gate.reached()
        if isByDeadline {
            await clock.sleepers()
            clock.advance(by: .seconds(5))
        } else {
            future.cancel()
        }
        #expect(await task.value == (isByDeadline ? "5.0 seconds receiving" : "cancelled"))
        await engine.called(0, 1)
        #expect(engine.calls(0) == ["cancel"])
        gate.open()
    }
}
