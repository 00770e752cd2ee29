public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The type of an error handler of a ``NetworkSerializer``.
public typealias ErrorHandler = @MainActor (any Error) -> Void

/// The type of a completion handler of a ``NetworkSerializer``.
public typealias CompletionHandler = @MainActor () -> Void

/// The callback style of NetworkKit 4.2.
///
/// Handlers run on the main actor, and get the headers of the response, too. A status that stands for an error goes to
/// the error handler.
///
/// Version 4.2 had three forms of `send`. Their success handlers got a value and the headers; which values is not on
/// record. Here they get the body, its text, or the headers alone.
@available(*, deprecated, message: "use dispatcher.future(from:), or await its value")
open class NetworkSerializer {
    /// The dispatcher that sends the requests.
    public let dispatcher: NetworkDispatcher

    /// Makes a serializer.
    public init(dispatcher: NetworkDispatcher) {
        self.dispatcher = dispatcher
    }

    /// A promise of the response to a request.
    open func make(_ request: any Request) -> ResponsePromise<Data?, Data?> {
        dispatcher.promise(from: request)
    }

    /// Sends a request, for the body of its response.
    @preconcurrency
    open func send(
        _ request: any Request, successHandler: @escaping @MainActor (Data?, [AnyHashable: Any]) throws -> Void,
        errorHandler: @escaping ErrorHandler, completionHandler: @escaping CompletionHandler = {}
    ) {
        send(request, errorHandler, completionHandler) { response in
            try successHandler(response.data, response.httpResponse.allHeaderFields)
        }
    }

    /// Sends a request, for the text of its response; `nil` if that has no body.
    ///
    /// A body that isn't UTF-8 is an error. A closure without a type for its parameter gets the data.
    @_disfavoredOverload
    @preconcurrency
    open func send(
        _ request: any Request, successHandler: @escaping @MainActor (String?, [AnyHashable: Any]) throws -> Void,
        errorHandler: @escaping ErrorHandler, completionHandler: @escaping CompletionHandler = {}
    ) {
        send(request, errorHandler, completionHandler) { response in
            let hasBody = response.data?.isEmpty == false
            try successHandler(
                hasBody ? try response.decodeString() : nil, response.httpResponse.allHeaderFields)
        }
    }

    /// Sends a request, for the headers of its response alone.
    @preconcurrency
    open func send(
        _ request: any Request, successHandler: @escaping @MainActor ([AnyHashable: Any]) throws -> Void,
        errorHandler: @escaping ErrorHandler, completionHandler: @escaping CompletionHandler = {}
    ) {
        send(request, errorHandler, completionHandler) { response in
            try successHandler(response.httpResponse.allHeaderFields)
        }
    }

    /// Sends a request, for a value that is decoded from the JSON of its response.
    @preconcurrency
    open func fetchDecodable<T: Decodable & Sendable>(
        _ request: any Request, successHandler: @escaping @MainActor (T, [AnyHashable: Any]) throws -> Void,
        errorHandler: @escaping ErrorHandler, completionHandler: @escaping CompletionHandler = {}
    ) {
        send(request, errorHandler, completionHandler) { response in
            try successHandler(try response.decode(T.self), response.httpResponse.allHeaderFields)
        }
    }

    private func send(
        _ request: any Request, _ errorHandler: @escaping ErrorHandler,
        _ completionHandler: @escaping CompletionHandler,
        _ successHandler: @escaping @MainActor (SuccessResponse<Data?>) throws -> Void
    ) {
        make(request)
            .success(successHandler)
            .failure { throw $0.error }
            .error(errorHandler)
            .completion(completionHandler)
            .send()
    }
}

// Sound: its state is immutable. The compiler can't check an open class, as subclasses may add state. Only for clients
// in the Swift 6 mode, as for ``MockDispatcher``.
@available(*, deprecated)
@available(swift 6)
extension NetworkSerializer: @unchecked Sendable {}
