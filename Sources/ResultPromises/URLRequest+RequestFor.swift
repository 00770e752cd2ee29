public import Dispatch
import PiuPiu

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// Promises a request, made from its parts.
    ///
    /// ```swift
    /// URLRequest.requestFor(path: "https://example.com/search", parameters: ["q": "swift", "page": 2])
    ///     .then { request in session.fetchData(from: request) }
    /// ```
    ///
    /// The parameters are read before this returns. The promise is resolved later, on the queue. It fails with
    /// ``RequestsError/URLGeneration`` if the path is no URL, and with ``RequestsError/serialization`` if the
    /// parameters can't be written as JSON.
    ///
    /// - Parameters:
    ///   - path: the whole URL, as text.
    ///   - method: the method.
    ///   - parameters: for GET and DELETE the query, added to the query of the path: keys in alphabetical order, values
    ///     as `String(describing:)`, all but unreserved characters percent-encoded. For POST and PUT the body, a JSON
    ///     object, with `Content-Type: application/json` unless the headers have another.
    ///   - headers: the headers; their names keep this case.
    ///   - dispatchQueue: where the promise is resolved.
    public static func requestFor(
        path: String, method: HttpMethod = .get, parameters: [String: Any]? = nil, headers: [String: String]? = nil,
        dispatchQueue: DispatchQueue = .global(qos: .userInitiated)
    ) -> Promise<URLRequest> {
        let result = Result.success(value: ()).map {
            try URLRequest(path: path, method: method, parameters: parameters, headers: headers)
        }
        let promise = Promise<URLRequest>()
        dispatchQueue.async { promise.resolve(state: result) }
        return promise
    }

    private init(
        path: String, method: HttpMethod, parameters: [String: Any]?, headers: [String: String]?
    ) throws(RequestsError) {
        let query = method.takesQuery ? parameters?.percentEncodedQuery : nil
        guard let url = URL(string: query.map { path.addingQuery($0) } ?? path) else { throw .URLGeneration }
        self.init(url: url)
        httpMethod = method.rawValue
        var headers = headers ?? [:]
        if !method.takesQuery, let parameters {
            httpBody = try parameters.jsonBody
            if !headers.keys.contains(where: { $0.lowercased() == "content-type" }) {
                headers["Content-Type"] = "application/json"
            }
        }
        // Not `addValue`, which changes the case of the names on Linux.
        if !headers.isEmpty { allHTTPHeaderFields = headers }
    }
}

extension HttpMethod {
    /// Whether parameters go into the URL.
    fileprivate var takesQuery: Bool {
        switch self {
        case .get, .delete: true
        case .post, .put: false
        }
    }
}

extension [String: Any] {
    /// The parameters as a query; `nil` if there are none.
    fileprivate var percentEncodedQuery: String? {
        guard !isEmpty else { return nil }
        return sorted { $0.key < $1.key }
            .map { "\($0.key.percentEncodedForQuery)=\(String(describing: $0.value).percentEncodedForQuery)" }
            .joined(separator: "&")
    }

    /// The parameters as a JSON object.
    fileprivate var jsonBody: Data {
        get throws(RequestsError) {
            guard JSONSerialization.isValidJSONObject(self),
                let body = try? JSONSerialization.data(withJSONObject: self, options: .prettyPrinted)
            else { throw .serialization }
            return body
        }
    }
}

extension String {
    fileprivate var percentEncodedForQuery: String {
        PercentEncoding.encoded(utf8, keeping: PercentEncoding.isUnreserved)
    }

    /// The text of a URL with a query added, before the fragment.
    fileprivate func addingQuery(_ query: String) -> String {
        let fragment = firstIndex(of: "#").map { self[$0...] } ?? ""
        let rest = dropLast(fragment.count)
        let separator = !rest.contains("?") ? "?" : rest.hasSuffix("?") || rest.hasSuffix("&") ? "" : "&"
        return rest + separator + query + fragment
    }
}
