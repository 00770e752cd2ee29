// Sound: constant texts that are URLs, unwrapped as the README does it.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What code of PiuPiu 1.11 does with a mock and a serializer, which were classes.
final class ReferencesOf111 {
    final class Server: ServerProvider {
        var baseURL: URL?

        init(_ text: String) {
            baseURL = URL(string: text)
        }
    }

    let mock = MockURLRequestDispatcher(delay: 60) { request in
        Response.makeMockResponse(with: request, statusCode: .notFound)
    }
    let first = Server("https://one.example.com")
    let second = Server("https://two.example.com")
    let serializer: RequestSerializer
    /// The same serializer, as another object retains it.
    let shared: RequestSerializer

    init() {
        serializer = RequestSerializer(dispatcher: mock, serverProvider: first)
        shared = serializer
    }

    func echo() {
        mock.delay = 0
        mock.callback = { request in
            let url = request.url?.absoluteString ?? "nothing"
            return Response.makeMockResponse(with: request, jsonString: url, encoding: .utf8, statusCode: .ok)
        }
    }

    @available(*, deprecated)
    func move() {
        serializer.serverProvider = second
    }

    @available(*, deprecated)
    func replaceDispatcher() {
        serializer.dispatcher = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, jsonString: "other", encoding: .utf8, statusCode: .ok)
        }
    }

    func answer() -> ResponseFuture<Response<String>> {
        return shared.dataFuture(from: BasicRequest(method: .get, path: "/a")).decodedString()
    }
}

/// The user's own responses: one whose body may not be `Sendable`, and one that is mutable.
struct WrappedResponse<Content>: ResponseInterface {
    var data: Content
    let urlResponse: URLResponse
    let urlRequest: URLRequest
}

class StoredResponse: ResponseInterface {
    var data: Data?
    let urlResponse: URLResponse
    let urlRequest: URLRequest

    init(_ response: Response<Data?>) {
        data = response.data
        urlResponse = response.urlResponse
        urlRequest = response.urlRequest
    }
}
