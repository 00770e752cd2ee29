import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Where bodies are decoded", .timeLimit(.minutes(10)))
struct DecodingPlaceTests {
    /// Tells whether it was decoded on the main actor.
    private struct Witness: Decodable, Sendable {
        let isOnMain: Bool

        init(from decoder: any Decoder) throws {
            isOnMain = MainQueue.isCurrent
        }
    }

    @Test("BACKGROUND: decoded, decodedIfPresent and safeDecoded run off the main actor for an awaiter on it")
    @MainActor
    func awaited() async throws {
        #expect(MainQueue.isCurrent)
        let future = ResponseFuture(result: try fixtureResponse("{}"))
        let http = future.makeHTTPResponse()
        #expect(try await !future.decoded(Witness.self).value.data.isOnMain)
        #expect(try await future.decodedIfPresent(Witness.self).value.data?.isOnMain == false)
        #expect(try await !http.decoded(Witness.self).value.data.isOnMain)
        #expect(try await http.decodedIfPresent(Witness.self).value.data?.isOnMain == false)
        #expect(try await !http.safeDecoded(Witness.self).value.data.get().isOnMain)
    }

    @Test("BACKGROUND, MAIN: with callbacks on the main actor the body is still decoded off it")
    @MainActor
    func sent() async throws {
        let future = ResponseFuture(result: try fixtureResponse("{}")).decoded(Witness.self)
        let wasDecodedOnMain = await withCheckedContinuation { continuation in
            future.success { response in
                MainActor.assertIsolated()
                continuation.resume(returning: response.data.isOnMain)
            }.send()
        }
        #expect(!wasDecodedOnMain)
    }
}
