import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The forms of PiuPiu 1.x.
class TokenAdapter: URLRequestAdapter {
    let token = "token-1"

    func adapt(urlRequest: URLRequest, with callback: @escaping (URLRequest) throws -> Void) throws {
        var request = urlRequest
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        try callback(request)
    }
}

class AccountGuard: URLResponseAdapter {
    struct Closed: Error {}

    func adapt(
        urlResponse: URLResponse, for urlRequest: URLRequest, with callback: @escaping (URLResponse) throws -> Void
    ) throws {
        if (urlResponse as? HTTPURLResponse)?.statusCode == 403 { throw Closed() }
        try callback(urlResponse)
    }
}
