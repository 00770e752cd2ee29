import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Link, Content-Type and Retry-After of a response", .timeLimit(.minutes(10)))
struct LinkFieldTests {
    private func response(
        _ fields: (String, String)..., url: String = "https://example.com/a/list?page=1"
    ) throws -> Response<Data?> {
        let head = TransferHead(
            url: try URL(fixture: url), status: 200, fields: fields.map { (name: $0.0, value: $0.1) })
        return Response(data: nil, urlRequest: try fixtureRequest(url), head: head)
    }

    private func links(_ lines: String...) throws -> [String] {
        LinkField.links(of: lines, relativeTo: try URL(fixture: "https://example.com/a/list?page=1"))
            .map { "\($0.url.absoluteString) \($0.relations.joined(separator: "+"))" }
    }

    @Test("Links of several fields, with commas in references and in quotes, are resolved against the response")
    func several() throws {
        #expect(
            try links(
                "<https://other.example/?ids=1,2>; rel=\"next\"; title=\"a, <b>; rel=x\", </c;d>;rel=PREV , <e>; rel = last",
                "<?page=2>; REL=\"next  Start\"", "<>;rel=self"
            ) == [
                "https://other.example/?ids=1,2 next", "https://example.com/c;d prev", "https://example.com/a/e last",
                "https://example.com/a/list?page=2 next+start", "https://example.com/a/list?page=1 self",
            ])
    }

    @Test("The time for a field is linear, whatever stands in it", .timeLimit(.minutes(10)))
    func hostile() throws {
        let count = 400_000
        let spaces = String(repeating: " ", count: count), brackets = String(repeating: "<", count: count)
        #expect(try links("a,\(spaces)x\(brackets), </b>; rel=next") == ["https://example.com/b next"])
    }

    @Test("Of several types the last one counts")
    func types() throws {
        let both = try response(
            ("Content-Type", "text/plain; charset=latin1"), ("Content-Type", "text/html; charset=utf-8"))
        #expect(both.contentType?.type == "text/html" && both.contentType?.charset == "utf-8")
    }

    @Test("A malformed link is left out, and the others are there")
    func malformed() throws {
        #expect(try links("next, <b>; rel=next, <c, ; rel=x") == ["https://example.com/a/b next"])
        #expect(try links("<b> junk; rel=next; ; =a; \"; x") == ["https://example.com/a/b next"])
        #expect(
            try links("<b>; rel=\"next, <c>; rel=last") == [
                "https://example.com/a/b \"next", "https://example.com/a/c last",
            ])
        #expect(try links("", ",", "<http://[>; rel=a, <d>") == ["https://example.com/a/d "])
    }

    @Test("Parameters: names in lower case, the first one counts, and title* is decoded and wins")
    func parameters() throws {
        let field = """
            <b>; Rel=next; rel=last; title="plain \\"x\\""; title*=UTF-8'en'%e2%82%ac%20rates; nopush; \
            media*=latin1''x; anchor="#top"
            """
        let link = try #require(try response(("Link", field)).links.first)
        #expect(
            link.parameters == [
                "rel": "next", "title": "€ rates", "nopush": "", "anchor": "#top",
            ])
        #expect(link == LinkField(url: link.url, relations: ["NEXT"], parameters: link.parameters))
    }

    @Test("The first link with a relation, in any case, and none of another document")
    func relation() throws {
        let response = try response(
            ("Link", "<x>; rel=next; anchor=\"/other\", <y>; rel=\"prev next\"; anchor=\"?page=1\""),
            ("link", "<z>; rel=next"))
        #expect(response.link("Next")?.absoluteString == "https://example.com/a/y")
        #expect(response.link("prev")?.absoluteString == "https://example.com/a/y" && response.link("last") == nil)
        #expect(response.links.count == 3)
    }

    @Test("A response of Foundation has its links, too, and a text of a link has no secret")
    func foundation() throws {
        let request = try fixtureRequest()
        let response = Response.makeMockResponse(
            with: request, statusCode: .ok, headers: ["link": "<?token=secret&page=2>; rel=next, <c>; rel=last"])
        #expect(response.links.count == 2 && response.link("last")?.absoluteString == "https://example.com/c")
        let text = "\(response.links)"
        #expect(text.contains("page=2") && text.contains("rel=\"next\"") && !text.contains("=secret"))
        #expect(Mirror(reflecting: response.links[0]).children.isEmpty)
    }

    @Test("The type of the body: without parameters, with a charset, malformed, and of a file")
    func contentType() throws {
        let html = try response(("Content-Type", "Text/HTML; x=1; Charset=\"UTF-8\"; charset=latin1")).contentType
        #expect(html == ContentTypeField(type: "text/html", charset: "utf-8"))
        #expect(html?.description == "text/html;charset=utf-8")
        #expect(try response(("content-type", "application/json")).contentType?.charset == nil)
        for field in ["", "text", "text/", "/html", "a b/c"] {
            #expect(try response(("Content-Type", field)).contentType == nil, "\(field)")
        }
        #expect(try fixtureFileResponse("a").contentType == nil && response().contentType == nil)
    }

    @Test("R5 RETRY-AFTER: the wait as a property, of a response and of the error of its status")
    func retryAfter() throws {
        #expect(try response(("Retry-After", "7")).retryAfter == .seconds(7))
        let dated = try response(
            ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Date", "Sun, 06 Nov 1994 08:49:07 GMT"))
        #expect(dated.retryAfter == .seconds(30))
        for field in ["-1", "soon", "1.5"] { #expect(try response(("Retry-After", field)).retryAfter == nil) }
        #expect(try response().retryAfter == nil)
        let busy = Response.makeMockResponse(
            with: try fixtureRequest(), statusCode: .tooManyRequests, headers: ["Retry-After": "9"])
        #expect(UnacceptableStatusError(busy)?.retryAfter == .seconds(9))
    }
}
