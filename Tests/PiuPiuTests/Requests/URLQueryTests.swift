import Foundation
import PiuPiu
import Testing

@Suite("The query of a URL", .timeLimit(.minutes(10)))
struct URLQueryTests {
    /// URLs: as given, with the item `n=1+1 &` added, with `a` set to `x`, and without `a`.
    private static let changes: [(url: String, added: String, set: String, removed: String)] = [
        ("/p", "/p?n=1%2B1%20%26", "/p?a=x", "/p"),
        ("/p?", "/p?n=1%2B1%20%26", "/p?a=x", "/p"),
        ("/p#a=1", "/p?n=1%2B1%20%26#a=1", "/p?a=x#a=1", "/p#a=1"),
        ("/p?#f", "/p?n=1%2B1%20%26#f", "/p?a=x#f", "/p#f"),
        ("/p?q=a%2Bb", "/p?q=a%2Bb&n=1%2B1%20%26", "/p?q=a%2Bb&a=x", "/p?q=a%2Bb"),
        ("/p?q=a+b", "/p?q=a+b&n=1%2B1%20%26", "/p?q=a+b&a=x", "/p?q=a+b"),
        ("/p?a=a%2Bb", "/p?a=a%2Bb&n=1%2B1%20%26", "/p?a=x", "/p"),
        ("/p?a&b", "/p?a&b&n=1%2B1%20%26", "/p?a=x&b", "/p?b"),
        ("/p?b&a=", "/p?b&a=&n=1%2B1%20%26", "/p?b&a=x", "/p?b"),
        (
            "/p?b=%2f&a=1&c=d=e/?&a=2&a#f", "/p?b=%2f&a=1&c=d=e/?&a=2&a&n=1%2B1%20%26#f", "/p?b=%2f&a=x&c=d=e/?#f",
            "/p?b=%2f&c=d=e/?#f"
        ),
        ("/p?%61=1&A=1&aa=1", "/p?%61=1&A=1&aa=1&n=1%2B1%20%26", "/p?a=x&A=1&aa=1", "/p?A=1&aa=1"),
        ("/p?=a&&b=1", "/p?=a&&b=1&n=1%2B1%20%26", "/p?=a&&b=1&a=x", "/p?=a&&b=1"),
        ("/a%2Fb/?%FF=%25", "/a%2Fb/?%FF=%25&n=1%2B1%20%26", "/a%2Fb/?%FF=%25&a=x", "/a%2Fb/?%FF=%25"),
    ]

    @Test("An item is added, set and removed, and the others stay byte for byte", arguments: changes)
    func changed(url: String, added: String, set: String, removed: String) throws {
        let origin = "https://u:p@a.com:81", url = try URL(fixture: origin + url)
        #expect(try url.addingQueryValue("1+1 &", forName: "n").absoluteString == origin + added)
        #expect(try url.settingQueryValue("x", forName: "a").absoluteString == origin + set)
        #expect(try url.settingQueryValue(nil, forName: "a").absoluteString == origin + removed)
    }

    @Test("Names are read as servers read them, and written so that they do")
    func names() throws {
        let url = try URL(fixture: "https://a.com/?a+b=1&a%2Bb=2")
        #expect(try url.settingQueryValue("3", forName: "a b").absoluteString == "https://a.com/?a%20b=3&a%2Bb=2")
        #expect(try url.settingQueryValue("3", forName: "a+b").absoluteString == "https://a.com/?a+b=1&a%2Bb=3")
        let both = try url.addingQueryValue("é=", forName: "a+b").addingQueryValue(nil, forName: "n")
        #expect(both.absoluteString == "https://a.com/?a+b=1&a%2Bb=2&a%2Bb=%C3%A9%3D&n")
        #expect(both.queryValues(forName: "a+b") == ["2", "é="] && both.queryValue(forName: "n") == "")
    }

    @Test("An item without a name")
    func noName() throws {
        let url = try URL(fixture: "https://a.com/?&=1")
        #expect(try url.addingQueryValue(nil, forName: "").absoluteString == "https://a.com/?&=1")
        #expect(try url.addingQueryValue("", forName: "").absoluteString == "https://a.com/?&=1&=")
        #expect(try url.settingQueryValue("2", forName: "").absoluteString == "https://a.com/?&=2")
        #expect(try url.settingQueryValue(nil, forName: "").absoluteString == "https://a.com/")
    }

    @Test("A relative URL is resolved first")
    func relative() throws {
        let url = try #require(URL(string: "b?q=1", relativeTo: URL(string: "https://a.com/api/?old=1")))
        #expect(try url.addingQueryValue("2", forName: "q").absoluteString == "https://a.com/api/b?q=1&q=2")
        #expect(try url.settingQueryValue(nil, forName: "q").absoluteString == "https://a.com/api/b")
    }

    private struct Search: Encodable {
        var text = "a+b &"
        var tags = ["x", "y"]
        var rating = 1.5
    }

    @Test("The fields of a value are added, and the others stay byte for byte")
    func addedFields() throws {
        let url = try URL(fixture: "https://a.com/?v=%2B1#f")
        #expect(try url.addingQuery(encodable: ["q": "a+b"]).absoluteString == "https://a.com/?v=%2B1&q=a%2Bb#f")
        let encoder = URLEncodedFormEncoder(arrays: .brackets)
        #expect(
            try url.addingQuery(encodable: Search(), encoder: encoder).absoluteString
                == "https://a.com/?v=%2B1&text=a%2Bb%20%26&tags%5B%5D=x&tags%5B%5D=y&rating=1.5#f")
        #expect(try url.addingQuery(encodable: ["v": "2"]).absoluteString == "https://a.com/?v=%2B1&v=2#f")
        #expect(try url.addingQuery(encodable: [String: String]()) == url)
        let bare = try URL(fixture: "https://a.com")
        #expect(try bare.addingQuery(encodable: ["q": 1]).absoluteString == "https://a.com?q=1")
        let error = try #require(throws: RequestBodyError.self) { try url.addingQuery(encodable: Search(rating: .nan)) }
        #expect(error.codingPath == "rating" && error.request == "https://a.com/?…")
        var request = BasicRequest(method: .get, path: "b", queryItems: [URLQueryItem(name: "q", value: "1")])
        try request.addQuery(encodable: ["q": ["2", "3"]], encoder: encoder)
        #expect(request.queryItems.map(\.name) == ["q", "q[]", "q[]"])
        #expect(request.queryItems.map(\.value) == ["1", "2", "3"])
        #expect(throws: RequestBodyError.self) { try request.addQuery(encodable: Search(rating: .infinity)) }
        #expect(request.queryItems.count == 3)
    }

    @Test("A value becomes the query, as BasicRequest sends it")
    func encodable() throws {
        let url = try URL(fixture: "https://u:p@a.com/b%2Fc?old=1#f")
        let encoder = URLEncodedFormEncoder(arrays: .brackets)
        let query = "text=a%2Bb%20%26&tags%5B%5D=x&tags%5B%5D=y&rating=1.5"
        #expect(
            try url.replacingQuery(encodable: Search(), encoder: encoder).absoluteString
                == "https://u:p@a.com/b%2Fc?\(query)#f")
        #expect(try url.replacingQuery(encodable: ["q": "1"]).query() == "q=1")
        #expect(try url.replacingQuery(encodable: [String: String]()).absoluteString == "https://u:p@a.com/b%2Fc#f")
        let error = try #require(throws: RequestBodyError.self) {
            try url.replacingQuery(encodable: Search(rating: .nan))
        }
        #expect(error.codingPath == "rating" && error.request == "https://a.com/b%2Fc?…")
        var request = BasicRequest(method: .get, path: "b", queryItems: [URLQueryItem(name: "old", value: nil)])
        try request.setQuery(encodable: Search(), encoder: encoder)
        #expect(try request.url(withBaseURL: url).absoluteString == "https://u:p@a.com/b?\(query)#f")
        #expect(throws: RequestBodyError.self) { try request.setQuery(encodable: Search(rating: .infinity)) }
        #expect(request.queryValue(forName: "rating") == "1.5")
        try request.setQuery(encodable: ["q": "1"])
        #expect(request.queryItems == [URLQueryItem(name: "q", value: "1")])
    }
}
