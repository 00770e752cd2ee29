import Foundation
import LoopbackServer
import Testing

@Suite("Loopback server: ranges", .timeLimit(.minutes(10)))
struct LoopbackRangeTests {
    private let server: LoopbackServer
    private let client: RawClient

    init() throws {
        server = try LoopbackServer.start()
        client = try RawClient(port: server.port)
    }

    private func get(_ target: String, headers: [String] = []) throws -> RawResponse {
        try client.request("GET", target, headers: headers)
        return try client.response()
    }

    @Test("Without a range the whole body comes, and the head announces ranges")
    func whole() throws {
        let response = try get("/ranged/200000")
        #expect(response.status == 200)
        #expect(response.header("Accept-Ranges") == "bytes")
        #expect(response.header("ETag") == "\"v1\"")
        #expect(response.header("Content-Range") == nil)
        #expect(response.body == LoopbackPattern.data(count: 200_000))
    }

    @Test(
        "A range is answered with that part",
        arguments: [
            ("bytes=0-", 0..<200_000), ("bytes=5-", 5..<200_000), ("bytes=70000-140000", 70_000..<140_001),
            ("Bytes=0-0", 0..<1), ("bytes=199999-", 199_999..<200_000), ("bytes=5-999999999999999999999", 5..<200_000),
            ("bytes=-3", 199_997..<200_000), ("bytes=-999999", 0..<200_000),
        ])
    func part(_ header: String, _ range: Range<Int>) throws {
        let response = try get("/ranged/200000", headers: ["Range: \(header)"])
        #expect(response.status == 206)
        #expect(response.header("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/200000")
        #expect(response.header("ETag") == "\"v1\"")
        #expect(response.body == LoopbackPattern.data(in: range))
        #expect(response.body == LoopbackPattern.data(count: 200_000)[range])
    }

    @Test(
        "A range beyond the end is refused with the length",
        arguments: [(200, "bytes=200-"), (200, "bytes=99999999999999999999-"), (0, "bytes=0-"), (200, "bytes=-0")])
    func unsatisfiable(_ count: Int, _ header: String) throws {
        let response = try get("/ranged/\(count)", headers: ["Range: \(header)"])
        #expect(response.status == 416)
        #expect(response.header("Content-Range") == "bytes */\(count)")
    }

    @Test(
        "Anything but a single range of bytes is ignored",
        arguments: ["bytes=5-4", "bytes=", "bytes=-", "bytes=a-", "bytes=1-2-3", "lines=1-2", "bytes=0-1,4-5", "5-"])
    func ignored(_ header: String) throws {
        let response = try get("/ranged/200", headers: ["Range: \(header)"])
        #expect(response.status == 200)
        #expect(response.body == LoopbackPattern.data(count: 200))
    }

    @Test("A HEAD gets the head of the whole, whatever range it names")
    func head() throws {
        try client.request("HEAD", "/ranged/200", headers: ["Range: bytes=5-"])
        let response = try client.response(hasBody: false)
        #expect(response.status == 200)
        #expect(response.header("Content-Length") == "200")
        #expect(try get("/text").status == 200)
    }

    /// An `If-Range`, and whether it is met.
    struct Condition: CustomTestStringConvertible {
        let query: String
        let value: String
        let status: Int

        var testDescription: String { "?\(query) If-Range: \(value)" }

        static let date = "Sat, 01 Jan 2000 00:00:00 GMT"
        static let all = [
            Condition(query: "", value: "\"v1\"", status: 206),
            Condition(query: "", value: "\"v2\"", status: 200),
            Condition(query: "", value: "W/\"v1\"", status: 200),
            Condition(query: "", value: date, status: 200),
            Condition(query: "etag=v2", value: "\"v2\"", status: 206),
            Condition(query: "etag=v2", value: "\"v1\"", status: 200),
            Condition(query: "weak=1", value: "W/\"v1\"", status: 200),
            Condition(query: "weak=1", value: "\"v1\"", status: 200),
            Condition(query: "validator=none", value: "\"v1\"", status: 200),
            Condition(query: "validator=date", value: date, status: 206),
            Condition(query: "validator=date", value: "Sun, 02 Jan 2000 00:00:00 GMT", status: 200),
        ]
    }

    @Test("A part is sent only of the version that If-Range names", arguments: Condition.all)
    func condition(_ condition: Condition) throws {
        let response = try get(
            "/ranged/200?\(condition.query)", headers: ["Range: bytes=150-", "If-Range: \(condition.value)"])
        #expect(response.status == condition.status)
        #expect(response.body == LoopbackPattern.data(in: (condition.status == 206 ? 150 : 0)..<200))
    }

    @Test("The validator can be strong, weak, a date, or missing")
    func validators() throws {
        #expect(try get("/ranged/2?etag=a").header("ETag") == "\"a\"")
        #expect(try get("/ranged/2?weak=1").header("ETag") == "W/\"v1\"")
        let dated = try get("/ranged/2?validator=date")
        #expect(dated.header("ETag") == nil)
        #expect(dated.header("Last-Modified") == Condition.date)
        let bare = try get("/ranged/2?validator=none")
        #expect(bare.header("ETag") == nil)
        #expect(bare.header("Last-Modified") == nil)
        #expect(bare.header("Accept-Ranges") == "bytes")
    }

    @Test("A server without ranges ignores them and announces none")
    func withoutRanges() throws {
        let response = try get("/ranged/200?ranges=ignored", headers: ["Range: bytes=5-"])
        #expect(response.status == 200)
        #expect(response.header("Accept-Ranges") == nil)
        #expect(response.header("ETag") == "\"v1\"")
        #expect(response.body.count == 200)
    }

    @Test("A download can be cut off under a head that announces all of it, and be resumed")
    func cut() throws {
        try client.request("GET", "/ranged/200000?cut=120000")
        let first = try client.response(hasBody: false)
        #expect(first.header("Content-Length") == "200000")
        #expect(try client.rest() == (LoopbackPattern.data(count: 120_000), .closed))
        let other = try RawClient(port: server.port)
        try other.request("GET", "/ranged/200000?cut=120000", headers: ["Range: bytes=120000-", "If-Range: \"v1\""])
        #expect(try other.response(hasBody: false).status == 206)
        #expect(try other.rest() == (LoopbackPattern.data(in: 120_000..<200_000), .closed))
    }

    @Test("A handler can change the version between two requests")
    func changingVersion() throws {
        server.handle("GET", "/changing") { request in
            .ranged(count: 10, for: request, validator: .entityTag("v\(request.header("Range") == nil ? 1 : 2)"))
        }
        #expect(try get("/changing").header("ETag") == "\"v1\"")
        let second = try get("/changing", headers: ["Range: bytes=5-", "If-Range: \"v1\""])
        #expect(second.status == 200)
        #expect(second.header("ETag") == "\"v2\"")
        #expect(second.body.count == 10)
    }
}
