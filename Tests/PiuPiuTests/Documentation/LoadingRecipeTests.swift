import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of the recipes with a loader in Recipes.md.
@Suite("Recipes with a loader", .timeLimit(.minutes(10)))
@MainActor
struct LoadingRecipeTests {
    /// A server that answers after a second with the text that was searched.
    private struct Client: Sendable {
        let server: RecordingDispatcher<MockRouteTable>

        init(_ clock: ManualClock) {
            let answer = MockAnswer(latency: .seconds(1)) { request, _ in
                let text = request.url?.queryValue(forName: "text") ?? ""
                return try Response.makeMockJSONResponse(with: request, encodable: [text], statusCode: .ok)
            }
            server = RecordingDispatcher(MockRouteTable(clock: clock, routes: [MockRoute(answer)]))
        }

        func results(for text: String) -> ResponseFuture<[String]> {
            server.dataFuture { try request("GET", "https://example.com/search?text=\(text)") }
                .validated().decoded([String].self).then { $0.data }
        }
    }

    @MainActor private final class SearchScreen {
        let results = FutureLoader<[String]> { ResponseFuture(completedWith: .success([])) }
        let client: Client
        let clock: ManualClock

        init(_ client: Client, _ clock: ManualClock) {
            self.client = client
            self.clock = clock
        }

        func textChanged(to text: String) {
            results.reload { [client, clock] in
                if text.isEmpty { return ResponseFuture(completedWith: .success([])) }
                return ResponseFuture.after(.milliseconds(300), clock: clock).flatMap { client.results(for: text) }
            }
        }
    }

    @Test("A text is searched after a pause, and a newer one cancels its request")
    func search() async throws {
        let clock = ManualClock(), client = Client(clock)
        let screen = SearchScreen(client, clock)
        screen.textChanged(to: "s")
        await clock.sleepers(until: [.milliseconds(300)])
        clock.advance(by: .milliseconds(200))
        screen.textChanged(to: "sw")
        await clock.sleepers(until: [.milliseconds(500)])
        #expect(client.server.exchanges.isEmpty)
        clock.advance(by: .milliseconds(300))
        await clock.sleepers(until: [.milliseconds(1500)])
        screen.textChanged(to: "swift")
        await clock.sleepers(until: [.milliseconds(800)])
        clock.advance(by: .milliseconds(300))
        await clock.sleepers(until: [.milliseconds(1800)])
        clock.advance(by: .seconds(1))
        await screen.results.finished()
        #expect(screen.results.value == ["swift"])
        let exchanges = try await client.server.ended(2)
        #expect(exchanges.map { $0.urlRequest.url?.query() } == ["text=sw", "text=swift"])
        #expect(exchanges.map(\.statusCode) == [nil, .ok])
        screen.textChanged(to: "")
        await screen.results.finished()
        #expect(screen.results.value == [] && client.server.exchanges.count == 2)
    }

    @MainActor private final class Screen {
        let posts: FutureLoader<Int>

        init(_ posts: FutureLoader<Int>) { self.posts = posts }

        var isSpinning: Bool { posts.isLoading && posts.value == nil }

        func keepFresh(by clock: some Clock<Duration>) async throws {
            while true {
                await posts.reload().finished()
                try await clock.sleep(for: .seconds(60))
            }
        }
    }

    @Test("A screen is refreshed each minute, spins before the first value only, and stops with its task")
    func refresh() async throws {
        let clock = ManualClock(), loads = Locked(0)
        let screen = Screen(
            FutureLoader {
                let load = loads.withLock { count in
                    count += 1
                    return count
                }
                return load == 2 ? ResponseFuture(error: TransferError(.cannotConnect)) : ResponseFuture { load }
            })
        screen.posts.reload()
        #expect(screen.isSpinning)
        await screen.posts.finished()
        let task = Task { try await screen.keepFresh(by: clock) }
        await clock.sleepers(until: [.seconds(60)])
        #expect(screen.posts.value == 1 && screen.posts.error != nil)
        clock.advance(by: .seconds(60))
        await clock.sleepers(until: [.seconds(120)])
        #expect(screen.posts.value == 3 && !screen.isSpinning)
        screen.posts.reload()
        #expect(screen.posts.isLoading && !screen.isSpinning)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(loads.withLock { $0 } == 4)
    }
}
