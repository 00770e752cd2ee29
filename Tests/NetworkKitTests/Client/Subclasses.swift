import Foundation
import NetworkKit

/// A mock with state of its own.
class RecordingMock: MockDispatcher {
    var paths: [String] = []

    override func future(from request: Request) -> ResponseFuture<Response<Data?>> {
        paths.append(request.path)
        return super.future(from: request)
    }
}

/// A dispatcher with state of its own, which closures of its methods read.
class TokenDispatcher: NetworkDispatcher {
    var token: String?

    func authorized() -> Request {
        return BasicRequest(method: .get, path: "/profile", headers: ["Authorization": token ?? ""])
    }

    func profile() -> ResponseFuture<Response<Data?>> {
        return future(from: { self.authorized() })
    }
}
