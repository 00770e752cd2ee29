import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("HTTPMethod", .timeLimit(.minutes(10)))
struct HTTPMethodTests {
    /// The registry of IANA, without `*` and `PRI`, which nobody sends.
    private static let registry = """
        ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK MERGE MKACTIVITY \
        MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH PATCH POST PROPFIND PROPPATCH PUT QUERY \
        REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL
        """

    @Test("There are the registered methods, as they go over the wire")
    func registered() {
        #expect(HTTPMethod.allCases.map(\.rawValue).sorted() == Self.registry.split(separator: " ").map(String.init))
    }

    @Test("A request is made with any of them, and may be sent", arguments: HTTPMethod.allCases)
    func request(method: HTTPMethod) throws {
        let request = URLRequest(url: try URL(fixture: "https://example.com"), method: method)
        #expect(try request.validated().httpMethod == method.rawValue)
        #expect(request.url?.host() == "example.com")
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
