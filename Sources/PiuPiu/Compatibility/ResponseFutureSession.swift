public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The session behind the dispatcher of PiuPiu 1.11, which apps could make and override: a class around a
/// ``URLRequestDispatcher``.
///
/// Its futures don't need a reference to it. It is no longer a delegate of a `URLSession`.
@available(*, deprecated, message: "Use URLRequestDispatcher, or a TransferEngine of your own.")
open class ResponseFutureSession: NSObject {
    private let dispatcher: URLRequestDispatcher

    /// Makes a session.
    public init(configuration: URLSessionConfiguration = .default) {
        dispatcher = URLRequestDispatcher(configuration: configuration)
        super.init()
    }

    /// A future of the response to this request.
    open func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        dispatcher.dataFuture(from: urlRequest)
    }

    /// A future of the response to the request of this task. The task itself is never resumed or cancelled.
    ///
    /// Fails with ``RequestError/missingURL`` if the task has no request.
    open func dataFuture(from task: URLSessionDataTask) -> ResponseFuture<Response<Data?>> {
        request(of: task).flatMap { [dispatcher] request in dispatcher.dataFuture(from: request) }
    }

    /// A future of the response to this request, with its body in a file.
    open func downloadFuture(from urlRequest: URLRequest, to destination: URL) -> ResponseFuture<Response<URL>> {
        dispatcher.downloadFuture(from: urlRequest, to: destination)
    }

    /// A future of a download by the request of this task. The task itself is never resumed or cancelled.
    ///
    /// Fails with ``RequestError/missingURL`` if the task has no request.
    open func downloadFuture(
        from task: URLSessionDownloadTask, to destination: URL
    ) -> ResponseFuture<Response<URL>> {
        request(of: task).flatMap { [dispatcher] request in dispatcher.downloadFuture(from: request, to: destination) }
    }

    /// A future of the response to this request, sent with these bytes as its body.
    open func uploadFuture(from urlRequest: URLRequest, with data: Data) -> ResponseFuture<Response<Data?>> {
        dispatcher.uploadFuture(from: urlRequest, with: data)
    }

    /// A future of the response to the request of this task, sent with the body of that request.
    ///
    /// The task itself is never resumed or cancelled. Bytes that the task got beside its request can't be read from it.
    /// Fails with ``RequestError/missingURL`` if the task has no request.
    open func uploadFuture(from task: URLSessionUploadTask) -> ResponseFuture<Response<Data?>> {
        request(of: task).flatMap { [dispatcher] request in dispatcher.uploadFuture(from: request) }
    }

    private func request(of task: URLSessionTask) -> ResponseFuture<URLRequest> {
        guard let request = task.originalRequest else { return ResponseFuture(error: RequestError.missingURL) }
        return ResponseFuture(result: request)
    }
}

// Sound: its one property is a constant of a `Sendable` type. The compiler can't check an open class, as subclasses may
// add state.
//
// Only for clients in the Swift 6 mode. The compiler warns about each subclass that doesn't restate `@unchecked
// Sendable`, in the Swift 5 mode, too, where old code never had to.
@available(*, deprecated)
@available(swift 6)
extension ResponseFutureSession: @unchecked Sendable {}
