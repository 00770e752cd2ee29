public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The form of an error handler of a ``NetworkSerializer``.
public typealias ErrorHandler = @MainActor (any Error) -> Void

/// The form of a completion handler of a ``NetworkSerializer``.
public typealias CompletionHandler = @MainActor () -> Void

// Sound: its state is immutable. Only an open class can't be checked, as subclasses may add to it.

/// The callback style of NetworkKit 4.2. Handlers run on the main actor, and get the headers of the response too; a
/// status that stands for an error goes to the error handler.
@available(*, deprecated, message: "use dispatcher.future(from:), or await its value")
open class NetworkSerializer: @unchecked Sendable {
    /// What sends the requests.
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
        make(request)
            .success { try successHandler($0.data, $0.httpResponse.allHeaderFields) }
            .failure { throw $0.error }
            .error(errorHandler)
            .completion(completionHandler)
            .send()
    }

    /// Sends a request, for a value that is decoded from the JSON of its response.
    @preconcurrency
    open func fetchDecodable<T: Decodable & Sendable>(
        _ request: any Request, successHandler: @escaping @MainActor (T, [AnyHashable: Any]) throws -> Void,
        errorHandler: @escaping ErrorHandler, completionHandler: @escaping CompletionHandler = {}
    ) {
        make(request)
            .success { try successHandler(try $0.decode(T.self), $0.httpResponse.allHeaderFields) }
            .failure { throw $0.error }
            .error(errorHandler)
            .completion(completionHandler)
            .send()
    }
}
