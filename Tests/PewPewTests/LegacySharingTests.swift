import Foundation
import PewPew
import TestSupport
import Testing

import protocol PiuPiu.DataDispatcher
import struct PiuPiu.Response
import class PiuPiu.ResponseFuture
import struct PiuPiu.TransferUpdate

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A dispatcher that answers all requests with the same exchange.
private struct Sharing: DataDispatcher {
    let exchange: ResponseFuture<Response<Data?>>
    let hasRequest: Gate

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        hasRequest.open()
        return exchange
    }
}

@Suite("Legacy futures of PiuPiu futures that others await, too", .timeLimit(.minutes(10)))
struct LegacySharingTests {
    private final class Provider: ServerProvider {
        let baseURL: URL

        init(_ baseURL: URL) { self.baseURL = baseURL }
    }

    private let log = EventLog()

    @Test("SHARED: cancelling the only awaiter of deliveringOnMain leaves the PiuPiu future to the others")
    func deliveringOnMain() async {
        let (shared, promise) = ResponseFuture<Int>.pending()
        let other = shared.then { $0 + 1 }
        other.send()
        let awaited = PewPew.ResponseFuture<Int>.deliveringOnMain { shared }
            .error { [log] in log("error \(type(of: $0))") }
            .piuPiuFuture()
        awaited.send()
        awaited.cancel()
        // The callback comes after the end of the work.
        #expect(await log.all(1) == ["error CancellationError"])
        #expect(shared.status == .started)
        promise.succeed(with: 1)
        #expect(await other.ending == "value 2")
    }

    @Test("SHARED: cancelling the only awaiter of a dispatcher's future leaves the exchange to the others")
    func dispatcher() async throws {
        let (shared, promise) = ResponseFuture<Response<Data?>>.pending(), hasRequest = Gate()
        let other = shared.then { _ in 1 }
        other.send()
        let provider = Provider(try #require(URL(string: "https://example.com")))
        let dispatcher = NetworkDispatcher(
            serverProvider: provider, dispatcher: Sharing(exchange: shared, hasRequest: hasRequest))
        let awaited = dispatcher.future(from: BasicRequest(method: .get, path: "/posts"))
            .error { [log] in log("error \(type(of: $0))") }
            .piuPiuFuture()
        awaited.send()
        await hasRequest.opened()
        // The turn of the main actor that made the request has ended then.
        await MainActor.run {}
        awaited.cancel()
        #expect(await log.all(1) == ["error CancellationError"])
        #expect(shared.status == .started)
        promise.fail(with: Mishap())
        #expect(await other.ending == "error \(Mishap())")
        withExtendedLifetime(provider) {}
    }

    @Test("The callbacks of the PiuPiu future of deliveringOnMain are called, too")
    func callbacks() async {
        let log = log
        let future = PewPew.ResponseFuture<Int>.deliveringOnMain {
            ResponseFuture<Int>(action: { future in
                future.update(with: TransferUpdate(stage: .started))
                future.succeed(with: 1)
            })
            .updated { _ in log("updated") }
            .success { log("success \($0)") }
            .completion { log("completion") }
        }
        future.send()
        #expect(await log.all(3) == ["updated", "success 1", "completion"])
    }

    @Test("The callbacks of an exchange that a dispatcher makes are called, too")
    func callbacksOfExchange() async throws {
        let (exchange, promise) = ResponseFuture<Response<Data?>>.pending(), hasRequest = Gate()
        let observed = exchange.error { [log] in log("error \($0)") }.completion { [log] in log("completion") }
        let provider = Provider(try #require(URL(string: "https://example.com")))
        let dispatcher = NetworkDispatcher(
            serverProvider: provider, dispatcher: Sharing(exchange: observed, hasRequest: hasRequest))
        dispatcher.future(from: BasicRequest(method: .get, path: "/posts")).send()
        await hasRequest.opened()
        // The turn of the main actor that made the request has ended then.
        await MainActor.run {}
        promise.fail(with: Mishap())
        #expect(await log.all(2) == ["error \(Mishap())", "completion"])
        withExtendedLifetime(provider) {}
    }
}
