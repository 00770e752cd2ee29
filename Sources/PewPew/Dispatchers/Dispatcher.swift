public import Foundation

/// The promise of a dispatcher: it ends with a response of either kind.
public typealias ResponsePromise<T: Sendable, E: Sendable> = Promise<SuccessResponse<T>, ErrorResponse<E>>

/// Makes futures of requests: the network, or a mock in its place.
@preconcurrency
public protocol Dispatcher: Sendable {
    /// A future of the response to a request, whatever its status.
    func future(from request: any Request) -> ResponseFuture<Response<Data?>>
}

extension Dispatcher {
    /// A future of the response to a request. The closure makes the request when the future is sent.
    ///
    /// ```swift
    /// dispatcher.future(from: {
    ///     var request = BasicRequest(method: .post, path: "/posts")
    ///     try request.setJSONBody(post)
    ///     return request
    /// }).error({ error in show(error) }).send()
    /// ```
    @preconcurrency
    public func future(
        from callback: @escaping @Sendable () throws -> any Request
    ) -> ResponseFuture<Response<Data?>> {
        ResponseFuture(actionInRun: { child, run in future(from: try callback()).fulfill(child, inRun: run) })
    }

    /// A promise of the response to a request: a success, or a failure if the status stands for an error.
    public func promise(from request: any Request) -> ResponsePromise<Data?, Data?> {
        promise(from: { request })
    }

    /// A promise of the response to a request. The closure makes the request when the promise is sent.
    @preconcurrency
    public func promise(from callback: @escaping @Sendable () throws -> any Request) -> ResponsePromise<Data?, Data?> {
        ResponsePromise<Data?, Data?>(actionInRun: { promise, run in
            future(from: try callback()).settle(promise, inRun: run)
        })
    }

    /// A promise under its former name.
    @available(*, deprecated, renamed: "promise(from:)")
    public func make(_ request: any Request) -> ResponsePromise<Data?, Data?> {
        promise(from: request)
    }

    /// A promise under its former name.
    @available(*, deprecated, renamed: "promise(from:)")
    @preconcurrency
    public func make(from callback: @escaping @Sendable () throws -> any Request) -> ResponsePromise<Data?, Data?> {
        promise(from: callback)
    }

    /// A promise under its former name.
    @available(*, deprecated, renamed: "promise(from:)")
    @preconcurrency
    public func makeRequest(
        from callback: @escaping @Sendable () throws -> any Request
    ) -> ResponsePromise<Data?, Data?> {
        promise(from: callback)
    }
}

extension ResponseFuture where T == Response<Data?> {
    /// Sends the future, and settles a run of a promise with its response.
    fileprivate func settle(_ promise: ResponsePromise<Data?, Data?>, inRun run: Int) {
        let steps = core.observing(for: promise, inRun: run, .send) { outcome, _ in
            switch outcome {
            case .error(let error): return promise.core.settling(.error(error), ofRun: run)
            case .success(let response):
                guard let error = response.error else {
                    return promise.core.settling(
                        .success(SuccessResponse(data: response.data, response: response)), ofRun: run)
                }
                return promise.core.settling(
                    .failure(ErrorResponse(data: response.data, response: response, error: error)), ofRun: run)
            }
        }
        RunStep.perform(steps)
    }
}
