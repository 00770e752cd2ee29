// refused-in: swift6
// allowed-in: swift5

// A subclass of a legacy dispatcher must say itself that it is Sendable, but not in the Swift 5 mode.

import Foundation
import NetworkKit

// expected-error: class 'RecordingDispatcher' must restate inherited '@unchecked Sendable' conformance
class RecordingDispatcher: MockDispatcher {
    private var paths: [String] = []

    override func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        paths.append(request.path)
        return super.future(from: request)
    }
}

// expected-error: class 'TokenDispatcher' must restate inherited '@unchecked Sendable' conformance
class TokenDispatcher: NetworkDispatcher {
    var token: String?

    func profile() -> ResponseFuture<Response<Data?>> {
        return future(from: { BasicRequest(method: .get, path: "/\(self.token ?? "")") })
    }
}

func use(_ dispatcher: any Dispatcher) {}

func useAll(_ serverProvider: any ServerProvider, _ url: URL) {
    use(NetworkDispatcher(serverProvider: serverProvider))
    use(TokenDispatcher(serverProvider: serverProvider))
    use(MockDispatcher(baseUrl: url, mockStatusCode: .ok))
}
