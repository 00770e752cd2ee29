import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
@Suite("PiuPiu 1.11: weak references", .timeLimit(.minutes(10)))
struct WeakReferencesOf111Tests {
    private let request = URLRequest(url: URL(fileURLWithPath: "/posts"))

    private func screen(_ dispatcher: any DataDispatcher) -> ScreenOf111 {
        ScreenOf111(dispatcher: dispatcher, request: request)
    }

    private var mock: MockURLRequestDispatcher {
        MockURLRequestDispatcher { Response.makeMockResponse(with: $0, statusCode: .ok) }
    }

    @Test("RETAIN A weak reference to a future that was sent is valid on the next line and in each callback")
    func weakFuture() async {
        let screen = screen(mock)
        await untilDone { done in screen.loadWeakly { done() } }
        #expect(screen.lines == ["sent here", "success here", "completion here"])
    }

    @Test("RELEASE A screen and a future that retain each other are released when the completion breaks the cycle")
    func heldFuture() async {
        weak var weakScreen: ScreenOf111?
        do {
            let screen = screen(mock)
            weakScreen = screen
            await untilDone { done in screen.loadHeld { done() } }
            #expect(screen.lines == ["success"] && screen.held == nil)
        }
        #expect(weakScreen == nil)
    }

    @Test(
        "UP, RELEASE A released screen ends the chain by nil, and one that stays continues it",
        arguments: [true, false])
    func goneScreen(isGone: Bool) async {
        let log = Journal(), gate = DispatchSemaphore(value: 0)
        let mock = MockURLRequestDispatcher { request in
            gate.wait()
            return Response.makeMockResponse(with: request, statusCode: .ok)
        }
        var screen: ScreenOf111? = screen(mock)
        await untilDone { done in
            screen?.loadNext(log: log) { done() }
            if isGone { screen = nil }
            gate.signal()
            gate.signal()
        }
        #expect(log.lines == [isGone ? "cancellation" : "success of a screen"])
        #expect((screen == nil) == isGone)
    }

    @Test("NEVER-HANG A future without its promise is abandoned, though it is retained; a pending one waits")
    func settledFromOutside() async throws {
        let dropping = ResponseFuture<Int> { _ in }
        dropping.send()
        dropping.succeed(with: 1)
        await #expect(throws: FutureError.self) { try await dropping.value }

        let settle = Box<@Sendable () -> Void>()
        let forgetting = ResponseFuture<Int> { future in settle.value = { [weak future] in future?.succeed(with: 1) } }
        forgetting.send()
        settle.value?()
        await #expect(throws: FutureError.self) { try await forgetting.value }

        let (pending, promise) = ResponseFuture<Int>.pending()
        pending.send()
        promise.succeed(with: 1)
        #expect(try await pending.value == 1)
    }

    @Test("UP A request is cancelled through the weak reference to its future")
    func cancelledWeakly() async {
        let mock = MockURLRequestDispatcher(delay: 3_600) { Response.makeMockResponse(with: $0, statusCode: .ok) }
        let screen = screen(mock)
        await untilDone { done in
            screen.loadWeakly { done() }
            screen.cancelRunning()
        }
        #expect(screen.lines == ["sent here", "completion here"])
    }
}
