public import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Requests with promises as their responses.
///
/// They start at once, and only the end of the session cancels them. The promises are resolved on the session's
/// delegate queue: mappers of `then` run there, and handlers on the queue on which they were attached.
///
/// The session sends the requests itself, so that its delegate, its queue, its invalidation and the overrides of a
/// subclass take effect. The shared session has none of these. On Linux its requests go through PiuPiu's
/// `URLRequestDispatcher`, which avoids crashes and hangs of `URLSession`. A request that neither can send (no host, a
/// line break in a header) fails with `.network(error:)` and an `InvalidRequestError`.
extension URLSession {
    /// Sends a request; promises the body and the head of the response, whatever its status.
    ///
    /// It fails with ``NetworkError/request`` if there is no request, ``NetworkError/network(error:)`` if there is no
    /// complete response, and ``NetworkError/missedData`` if the response isn't an HTTP one.
    public func fetch(from requestable: any URLRequestable) -> Promise<(Data?, HTTPURLResponse)> {
        let promise = Promise<(Data?, HTTPURLResponse)>()
        guard let request = requestable.urlRequest() else {
            promise.resolve(error: NetworkError.request)
            return promise
        }
        do {
            // Another scheme than HTTP's is for a `URLProtocol`.
            try send(request.validated(allowsOtherSchemes: true)) { data, response, error in
                promise.resolve(state: .init(data: data, response: response, error: error))
            }
        } catch {
            promise.resolve(error: NetworkError.network(error: error))
        }
        return promise
    }

    /// Sends a request; promises the body of the response.
    ///
    /// It fails as ``fetch(from:)`` does, with ``NetworkError/http(code:)`` for a status outside 200...299, and with
    /// ``NetworkError/missedData`` if there is no body or an empty one, even if the status is 204.
    public func fetchData(from requestable: any URLRequestable) -> Promise<Data> {
        fetch(from: requestable).then { (data, response) -> Data in
            guard (200...299).contains(response.statusCode) else { throw NetworkError.http(code: response.statusCode) }
            guard let data, !data.isEmpty else { throw NetworkError.missedData }
            return data
        }
    }

    /// Sends a request; promises the value that is decoded from the JSON of the response.
    ///
    /// ```swift
    /// let users: Promise<[User]> = session.fetchRESTObject(from: "example.com/users")
    /// ```
    ///
    /// It fails as ``fetchData(from:)`` does, and with ``NetworkError/deserialisation(error:)`` if the body can't be
    /// decoded. The body is decoded on the session's delegate queue.
    public func fetchRESTObject<O: Decodable & Sendable>(
        from requestable: any URLRequestable, decoder: JSONDecoder = JSONDecoder()
    ) -> Promise<O> {
        fetchData(from: requestable).then { data -> O in
            do { return try decoder.decode(O.self, from: data) } catch {
                throw NetworkError.deserialisation(error: error)
            }
        }
    }

    /// Sends a request at once, and calls `completion` on the delegate queue.
    private func send(
        _ request: URLRequest, completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            if self === URLSession.shared {
                let queue = delegateQueue
                Self.dispatcherOfShared.dataFuture(from: request).promise().attach { result in
                    queue.addOperation {
                        switch result {
                        // For a response without a body a session gives empty data, and a dispatcher `nil`.
                        case .success(let response): completion(response.data ?? Data(), response.urlResponse, nil)
                        case .failure(let error): completion(nil, nil, (error as? TransferError)?.urlError ?? error)
                        }
                    }
                    return nil
                }
                return
            }
        #endif
        dataTask(with: request, completionHandler: completion).resume()
    }

    #if canImport(FoundationNetworking)
        private static let dispatcherOfShared = URLRequestDispatcher(configuration: URLSession.shared.configuration)
    #endif
}

extension Result<(Data?, HTTPURLResponse)> {
    /// The result of a data task.
    fileprivate init(data: Data?, response: URLResponse?, error: (any Error)?) {
        if let error {
            self = .failure(error: NetworkError.network(error: error))
        } else if let response = response as? HTTPURLResponse {
            self = .success(value: (data, response))
        } else {
            self = .failure(error: NetworkError.missedData)
        }
    }
}
