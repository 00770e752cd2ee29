import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTPMethod", .timeLimit(.minutes(5)))
struct HTTPMethodTests {
    @Test("The raw value is the method as it goes over the wire", arguments: HTTPMethod.allCases)
    func rawValues(method: HTTPMethod) throws {
        #expect(method.rawValue == "\(method)".uppercased())
        let request = URLRequest(url: try URL(fixture: "https://example.com"), method: method)
        #expect(request.httpMethod == method.rawValue)
        #expect(request.url?.host() == "example.com")
    }

    @Test("There are the nine methods of RFC 9110 and RFC 5789")
    func count() {
        #expect(HTTPMethod.allCases.count == 9)
    }

    @Test(
        "Every RequestError has its legacy key and says what to do",
        arguments: [(RequestError.missingURL, "MissingURL"), (.missingServerProvider, "MissingServerProvider")])
    func requestErrors(error: RequestError, key: String) {
        #expect(error.errorKey == key)
        #expect(error.localizedDescription == error.errorDescription)
        #expect(error.localizedDescription.split(separator: ". ").count == 2)
    }
}
