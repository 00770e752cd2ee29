import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The rest of the names of PiuPiu 1.4 to 1.9, each used as an app used it.
@available(*, deprecated)
class SurfaceOf14 {
    let future = ResponseFuture<Int>(order: 2, result: 1)

    func callbacks(
        success: @escaping ResponseFuture<Int>.SuccessHandler, error: @escaping ResponseFuture<Int>.ErrorHandler,
        completion: @escaping ResponseFuture<Int>.CompletionHandler,
        cancellation: @escaping ResponseFuture<Int>.CancellationHandler,
        progress: @escaping ResponseFuture<Int>.ProgressCallback,
        updated: @escaping ResponseFuture<Int>.TaskCallback
    ) -> ResponseFuture<Int> {
        return future.success(success).error(error).completion(completion).cancellation(cancellation)
            .progress(progress).updated(updated)
    }

    func order() -> UInt {
        return future.order + ResponseFuture<Int>(order: 1) { $0.succeed(with: 1) }.order
    }

    func nonFailing() -> ResponseFuture<NonFailingResult<Int, Error>> {
        return future.nonFailing()
    }

    func nestedNonFailing() -> ResponseFuture<ResponseFuture<Int>.NonFailingResult<Int, Error>> {
        return future.nonFailing()
    }

    func safe() -> ResponseFuture<SafeResponse<Int>> {
        return future.nonFailing()
    }

    func text() -> ResponseFuture<String> {
        return
            future
            .thenError({ value, error -> Int in
                if let error = error { throw error }
                return value ?? 0
            })
            .thenError({ result -> String in
                switch result {
                case .response(let value): return "\(value)"
                case .error(let error): return "\(error)"
                }
            })
    }

    func responses(_ response: Response<Data?>) throws -> [Any] {
        let copy = Response(
            data: response.data, httpResponse: response.httpResponse, urlRequest: response.urlRequest,
            statusCode: response.statusCode)
        let success: SuccessResponse<Data?> = SuccessResponse(data: copy.data, response: copy)
        let again = SuccessResponse<Data?>(
            data: success.data, httpResponse: success.httpResponse, urlRequest: success.urlRequest,
            statusCode: success.statusCode)
        let error: ResponseError? = again.error ?? response.statusCode.error
        response.printRequest()
        response.printResponse()
        return [again, error as Any]
    }

    func name(of error: ResponseError) -> String {
        switch error {
        case .badRequest: return "bad request"
        case .unauthorized: return "unauthorized"
        case .forbidden: return "forbidden"
        case .notFound: return "not found"
        case .conflict: return "conflict"
        case .unprocessableEntity: return "unprocessable"
        case .internalServerError: return "internal"
        case .serviceUnavailable: return "unavailable"
        case .otherClientError: return "client"
        case .otherServerError: return "server"
        case .unknown: return "unknown"
        default: return "new"
        }
    }

    func name(of error: Error) -> String {
        do {
            throw error
        } catch ResponseError.notFound {
            return "caught"
        } catch let error as ResponseError {
            return name(of: error)
        } catch SerializationError.unexpectedEmptyResponse {
            return "empty"
        } catch DateTransform.TransformError.invalidDateFormat(let format, let text) {
            return "\(text) is not \(format)"
        } catch IntFromStringTransform.TransformError.invalidIntegerString(let text) {
            return text
        } catch URLTransform.TransformError.invalidURL, TimeZoneTransform.TransformError.invalidIdentifier {
            return "invalid"
        } catch {
            return "another"
        }
    }

    func serializer(for dispatcher: DataDispatcher, provider: ServerProvider) -> NetworkSerializer {
        return NetworkSerializer(dispatcher: dispatcher, serverProvider: provider)
    }
}

/// A session of an app's own.
@available(*, deprecated)
class LoggingSession: ResponseFutureSession {
    var requests: [URLRequest] = []

    override func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        requests.append(urlRequest)
        return super.dataFuture(from: urlRequest)
    }
}
