import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Path patterns", .timeLimit(.minutes(10)))
struct PathPatternTests {
    private let pattern: [PathComponent] = ["users", .wildcard(type: .integer), "posts", .wildcard(type: .string)]

    @Test("A path that matches gives one value for each component, the constants included")
    func values() throws {
        let url = try url("https://example.com/users/7/posts/latest?page=2#top")
        #expect(
            url.pathValues(matching: pattern) == [.string("users"), .integer(7), .string("posts"), .string("latest")])
        #expect(url.pathMatches(pattern: pattern))
    }

    @Test(
        "Slashes at the start, at the end and in a row make no difference",
        arguments: ["users/7/posts/a", "/users/7/posts/a/", "//users///7/posts//a//"])
    func slashes(path: String) throws {
        let url = try #require(URL(string: path, relativeTo: try url("https://example.com/")))
        #expect(
            url.pathMatches(pattern: pattern) == !path.hasPrefix("//users"), "A URL with // at its start has a host")
        #expect(try PiuPiuTests.url("https://example.com/" + path).pathMatches(pattern: pattern))
    }

    @Test(
        "What is shorter, longer or another does not match",
        arguments: [
            "", "/", "users/7/posts", "users/7/posts/a/b", "Users/7/posts/a", "users/seven/posts/a",
            "users/7.0/posts/a",
            "users/99999999999999999999/posts/a", "users/%37a/posts/a", "users//posts/a",
        ])
    func misses(path: String) throws {
        let url = try url("https://example.com/" + path)
        #expect(url.pathValues(matching: pattern) == nil)
        #expect(!url.pathMatches(pattern: pattern))
        #expect(url.integerValue(atIndex: 1, matching: pattern) == nil)
    }

    @Test("The empty pattern matches the empty path alone")
    func emptyPattern() throws {
        #expect(try url("https://example.com").pathValues(matching: []) == [])
        #expect(try url("https://example.com//?a=b").pathValues(matching: []) == [])
        #expect(try url("https://example.com/a").pathValues(matching: []) == nil)
        #expect(try url("mailto:").pathValues(matching: []) == [])
    }

    @Test("%2F is a slash in a segment, and not the end of it; other percent-encoding is undone")
    func encodedSlashes() throws {
        let url = try url("https://example.com/files/a%2Fb/%C3%BC%20%2520")
        let strings: [PathComponent] = ["files", .wildcard(type: .string), .wildcard(type: .string)]
        #expect(url.pathValues(matching: strings) == [.string("files"), .string("a/b"), .string("ü %20")])
        #expect(url.pathMatches(pattern: ["files", "a/b", "ü %20"]))
        #expect(!url.pathMatches(pattern: ["files", "a", "b", "ü %20"]))
        let digits = try PiuPiuTests.url("https://example.com/%34%32")
        #expect(digits.integerValue(atIndex: 0, matching: [.wildcard(type: .integer)]) == 42)
    }

    @Test("Bytes that are no UTF-8 stay as they are written")
    func noText() throws {
        let values = try url("https://example.com/a/%FF%FE").pathValues(matching: ["a", .wildcard(type: .string)])
        #expect(values == [.string("a"), .string("%FF%FE")])
    }

    @Test("An index where there is nothing is nil, and no crash", arguments: [-1, 4, 5, Int.min, Int.max])
    func badIndices(index: Int) throws {
        let url = try url("https://example.com/users/7/posts/a")
        #expect(url.pathMatches(pattern: pattern))
        #expect(url.integerValue(atIndex: index, matching: pattern) == nil)
        #expect(url.stringValue(atIndex: index, matching: pattern) == nil)
        #expect(URLRequest(url: url).integerValue(atIndex: index, matching: pattern) == nil)
        #expect(URLRequest(url: url).stringValue(atIndex: index, matching: pattern) == nil)
        #expect(url.stringValue(atIndex: 0, matching: []) == nil)
    }

    @Test("An integer is no string, and the other way round; a constant is a string")
    func types() throws {
        let url = try url("https://example.com/users/7/posts/8")
        #expect(url.integerValue(atIndex: 1, matching: pattern) == 7)
        #expect(url.stringValue(atIndex: 1, matching: pattern) == nil)
        #expect(url.stringValue(atIndex: 3, matching: pattern) == "8")
        #expect(url.integerValue(atIndex: 3, matching: pattern) == nil)
        #expect(url.stringValue(atIndex: 0, matching: pattern) == "users")
    }

    @Test("A request has the patterns of its URL; without one it matches nothing")
    func requests() throws {
        var request = URLRequest(url: try url("https://example.com/users/7/posts/a"))
        #expect(request.pathValues(matching: pattern)?.string == "users/7/posts/a")
        #expect(request.pathMatches(pattern: pattern))
        #expect(request.integerValue(atIndex: 1, matching: pattern) == 7)
        #expect(request.stringValue(atIndex: 3, matching: pattern) == "a")
        request.url = nil
        #expect(request.pathValues(matching: pattern) == nil)
        #expect(!request.pathMatches(pattern: []))
        #expect(request.integerValue(atIndex: 1, matching: pattern) == nil)
        #expect(request.stringValue(atIndex: 3, matching: pattern) == nil)
    }
}
