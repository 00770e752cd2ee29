import Foundation
import ResultPromises
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLRequest: promises of requests", .timeLimit(.minutes(10)))
struct RequestForTests {
    private let path = "https://a.com/p"

    @Test(
        "GET and DELETE have their parameters in the query, every reserved character encoded",
        arguments: [
            ("https://a.com/p", "https://a.com/p?a%26b=c%3D%2F%3F%20%C3%A4~&n=1"),
            ("https://a.com/p?x=y", "https://a.com/p?x=y&a%26b=c%3D%2F%3F%20%C3%A4~&n=1"),
            ("https://a.com/p?x=y&", "https://a.com/p?x=y&a%26b=c%3D%2F%3F%20%C3%A4~&n=1"),
            ("https://a.com/p?", "https://a.com/p?a%26b=c%3D%2F%3F%20%C3%A4~&n=1"),
            ("https://a.com/p#f?g", "https://a.com/p?a%26b=c%3D%2F%3F%20%C3%A4~&n=1#f?g"),
        ])
    func query(path: String, expected: String) async throws {
        for method in [HttpMethod.get, .delete] {
            let request = try await URLRequest.requestFor(
                path: path, method: method, parameters: ["n": 1, "a&b": "c=/? ä~"]
            ).value
            #expect(request.url?.absoluteString == expected)
            #expect(request.httpMethod == method.rawValue)
            #expect(request.httpBody == nil)
            #expect(request.allHTTPHeaderFields?.isEmpty != false)
        }
    }

    @Test("Without parameters the URL is the path")
    func noParameters() async throws {
        for parameters in [nil, [:]] as [[String: Any]?] {
            let request = try await URLRequest.requestFor(path: path, parameters: parameters).value
            #expect(request.url?.absoluteString == path)
            #expect(request.httpMethod == "GET")
        }
    }

    @Test("TRAP: POST and PUT send the parameters as JSON, and say so unless the headers say something else")
    func body() async throws {
        for method in [HttpMethod.post, .put] {
            let plain = try await URLRequest.requestFor(path: path, method: method, parameters: ["a": [1, 2]]).value
            #expect(plain.httpMethod == method.rawValue)
            #expect(plain.url?.absoluteString == path)
            let body = try #require(plain.httpBody)
            #expect(try JSONSerialization.jsonObject(with: body) as? [String: [Int]] == ["a": [1, 2]])
            #expect(body == (try JSONSerialization.data(withJSONObject: ["a": [1, 2]], options: .prettyPrinted)))
            #expect(plain.allHTTPHeaderFields == ["Content-Type": "application/json"])
            let typed = try await URLRequest.requestFor(
                path: path, method: method, parameters: [:], headers: ["content-type": "text/plain"]
            ).value
            #expect(typed.allHTTPHeaderFields == ["content-type": "text/plain"])
            #expect(typed.httpBody != nil)
            let empty = try await URLRequest.requestFor(path: path, method: method).value
            #expect(empty.httpBody == nil)
            #expect(empty.value(forHTTPHeaderField: "Content-Type") == nil)
        }
    }

    @Test("Headers keep the case of their names")
    func headers() async throws {
        let request = try await URLRequest.requestFor(path: path, headers: ["key": "value", "B": "c"]).value
        #expect(request.allHTTPHeaderFields == ["key": "value", "B": "c"])
    }

    @Test("TRAP: parameters that JSON doesn't know are an error, not a crash")
    func serialization() async {
        for value in [Date(), Double.nan, [Data()]] as [Any] {
            let error = await error(
                of: URLRequest.requestFor(path: path, method: .post, parameters: ["a": value]))
            #expect(error == .serialization)
        }
    }

    @Test("TRAP: a path that is no URL is an error, with parameters too")
    func noURL() async {
        for path in ["", "https://a b.com"] {
            #expect(await error(of: URLRequest.requestFor(path: path)) == .URLGeneration)
            let withBody = URLRequest.requestFor(path: path, method: .post, parameters: [:])
            #expect(await error(of: withBody) == .URLGeneration)
        }
        #expect(await error(of: URLRequest.requestFor(path: "https://a b.com", parameters: ["a": 1])) == .URLGeneration)
    }

    @Test("The promise is resolved later, on the queue")
    func queue() async throws {
        let queue = DispatchQueue(label: "requests"), key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        queue.suspend()
        let isThere = URLRequest.requestFor(path: path, dispatchQueue: queue).then { _ in
            DispatchQueue.getSpecific(key: key)
        }
        queue.resume()
        #expect(try await isThere.value == true)
    }

    @Test("Text without a scheme is an https URL")
    func requestables() {
        #expect("a.com/p".urlRequest()?.url?.absoluteString == "https://a.com/p")
        #expect("http://a.com".urlRequest()?.url?.absoluteString == "http://a.com")
        #expect(("a.com/p" as NSString).urlRequest()?.url?.absoluteString == "https://a.com/p")
        #expect("ftp://a.com".urlRequest()?.url?.absoluteString == "ftp://a.com")
        #expect("a b".urlRequest() == nil)
        #expect(URL(string: "file:///x")?.urlRequest()?.url?.absoluteString == "file:///x")
        #expect("a.com".urlRequest()?.urlRequest() == "a.com".urlRequest())
    }

    private func error(of promise: Promise<URLRequest>) async -> RequestsError? {
        do {
            _ = try await promise.value
            return nil
        } catch {
            return error as? RequestsError
        }
    }
}
