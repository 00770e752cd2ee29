public import Foundation
public import PiuPiu

/// A dispatcher without a network, for tests.
///
/// ```swift
/// let dispatcher = MockDispatcher(baseUrl: url, mockStatusCode: .ok)
/// try dispatcher.setMockData(post)
/// dispatcher.future(from: request).response({ response in … }).send()
/// ```
///
/// Its futures end on the main actor, not inside `send()`; only one whose request can't be built fails there. They use
/// the settings that the mock had when they were sent. The URL is built, but not called. A status that stands for an
/// error makes the response an error.
open class MockDispatcher: Dispatcher, ServerProvider {
    private struct State: Sendable {
        var data: Data?
        var statusCode: StatusCode
        var headers: [String: String]
        var delay: TimeInterval = 0
        var baseURL: URL
    }

    private let state: Locked<State>

    /// Makes a mock that answers without a body.
    public init(baseUrl: URL, mockStatusCode: StatusCode, mockHeaders: [String: String] = [:]) {
        state = Locked(State(statusCode: mockStatusCode, headers: mockHeaders, baseURL: baseUrl))
    }

    /// The body of the response.
    open var mockData: Data? {
        get { state.withLock { $0.data } }
        set { state.withLock { $0.data = newValue } }
    }

    /// The status of the response.
    open var mockStatusCode: StatusCode {
        get { state.withLock { $0.statusCode } }
        set { state.withLock { $0.statusCode = newValue } }
    }

    /// The headers of the response.
    open var mockHeaders: [String: String] {
        get { state.withLock { $0.headers } }
        set { state.withLock { $0.headers = newValue } }
    }

    /// How long the response takes, in seconds.
    open var delay: TimeInterval {
        get { state.withLock { $0.delay } }
        set { state.withLock { $0.delay = newValue } }
    }

    /// The base URL that requests are built on.
    nonisolated open var baseURL: URL {
        get { state.withLock { $0.baseURL } }
        set { state.withLock { $0.baseURL = newValue } }
    }

    /// A future of the mock's response.
    ///
    /// It fails with ``RequestError/invalidURL(cause:)`` if no URL can be made of the base URL and the request, and
    /// with PiuPiu's `InvalidRequestError` for a header that can't be sent, such as one with a line break.
    open func future(from request: any Request) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(actionInRun: { future, run in
            let (data, statusCode, headers) = (self.mockData, self.mockStatusCode, self.mockHeaders)
            let mock = MockURLRequestDispatcher(delay: self.delay) { urlRequest in
                .makeMockResponse(with: urlRequest, data: data, statusCode: statusCode, headers: headers)
            }
            future.deliver(try request.urlRequest(withBaseURL: self.baseURL), through: mock, inRun: run)
        })
    }
}

// Sound: its state is behind a lock. The compiler can't check an open class, as subclasses may add state.
//
// Only for clients in the Swift 6 mode. The compiler warns about each subclass that doesn't restate `@unchecked
// Sendable`, in the Swift 5 mode, too, where old code never had to. Neither the conformance in an extension or in a
// (generic) superclass nor `@preconcurrency` silences it. A global actor would, but it would bind the subclasses, too.
@available(swift 6)
extension MockDispatcher: @unchecked Sendable {}
