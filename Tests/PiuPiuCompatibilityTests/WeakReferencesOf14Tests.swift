import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
@Suite("PiuPiu 1.4: weak references", .timeLimit(.minutes(10)))
struct WeakReferencesOf14Tests {
    @available(*, deprecated)
    @Test(
        "RETAIN, RELEASE A weak future lives until its end, and a screen may be released before",
        arguments: [true, false])
    func weakReferences(isGone: Bool) async {
        let log = Journal(), gate = DispatchSemaphore(value: 0)
        let mock = MockURLRequestDispatcher { request in
            gate.wait()
            return Response.makeMockResponse(with: request, data: Data("text".utf8), statusCode: .ok)
        }
        var screen: WeakScreenOf14? = WeakScreenOf14(
            dispatcher: mock, request: URLRequest(url: URL(fileURLWithPath: "/posts")))
        weak var weakScreen: WeakScreenOf14?
        weakScreen = screen
        await untilDone { done in
            screen?.load(log: log) { done() }
            if isGone { screen = nil }
            gate.signal()
        }
        #expect((weakScreen == nil) == isGone)
        #expect(log.lines == [isGone ? "nobody" : "a screen"])
        #expect((screen?.lines ?? []) == (isGone ? [] : ["progress 1.0", "text here"]))
    }
}
