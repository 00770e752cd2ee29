import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Looking up recordings", .timeLimit(.minutes(10)))
struct ReplayIndexTests {
    /// A request, recorded or asked for.
    private struct Line {
        var method = "GET"
        let path: String
        /// Empty for none, `nil` for one that was not recorded.
        var body: String? = ""

        func urlRequest() throws -> URLRequest {
            var request = URLRequest(url: try url("https://example.com/" + path))
            request.httpMethod = method
            if let body, !body.isEmpty { request.httpBody = Data(body.utf8) }
            return request
        }
    }

    /// A recording whose responses are numbers that count from 0.
    private func recording(_ lines: [Line]) throws -> TrafficRecording {
        let exchanges = lines.enumerated().map { number, line -> [String: [String: Any]] in
            let body: [String: Any] = line.body.map { ["text": $0] } ?? ["omitted": true]
            let request: [String: Any] = [
                "method": line.method, "url": "https://example.com/" + line.path, "body": body,
            ]
            return ["request": request, "response": ["status": 200, "body": ["text": "\(number)"]]]
        }
        return try TrafficRecording(
            data: JSONSerialization.data(withJSONObject: ["version": 1, "exchanges": exchanges]))
    }

    @Test("However many recordings there are, a URL is compared once for each set of items that they have left out")
    func comparisons() throws {
        let count = 3_000
        let lines = (0..<count).map { number in
            let secret = ["", "&token=%3Credacted%3E", "&key=%3Credacted%3E"][number % 3]
            return Line(path: "\(number)?page=1\(secret)")
        }
        let index = ReplayIndex(try recording(lines).exchanges)
        for number in 0..<count {
            let asked = try url("https://example.com/" + lines[number].path.replacing("%3Credacted%3E", with: "secret"))
            var comparisons = 0
            let found = index.groups(with: "GET", asked) { url, names in
                comparisons += 1
                return names.isEmpty
                    ? url.absoluteString : url.absoluteString.replacing("secret", with: "%3Credacted%3E")
            }
            #expect(found == [number] && comparisons == 3)
            let foundByOther = index.groups(with: "PUT", asked) { url, _ in url.absoluteString }
            #expect(foundByOther == [])
        }
    }

    @Test("Recordings of the same request count as one")
    func sameRequests() throws {
        let same = Array(repeating: Line(path: "a"), count: 3_000)
        let others = [Line(path: "a", body: "text"), Line(path: "a", body: nil), Line(path: "b")]
        let index = ReplayIndex(try recording(same + others + same).exchanges)
        let found = index.groups(with: "GET", try url("https://example.com/a")) { url, _ in url.absoluteString }
        #expect(found == [0, 1, 2])
    }

    /// Finds a recording by comparing a request with each of them.
    private struct PlainSearch {
        let lines: [Line]
        let matching: ReplayingDispatcher.Matching
        let afterLast: MockScript.AfterLast
        var served: Set<Int> = []
        var requestCounts: [[Int]: Int] = [:]

        mutating func answer(to asked: Line) -> Int? {
            var fitting = lines.indices.filter { lines[$0].method == asked.method && lines[$0].path == asked.path }
            let same = fitting.filter { lines[$0].body == asked.body }
            if !same.isEmpty {
                fitting = same
            } else if matching == .methodURLAndBody {
                fitting = fitting.filter { lines[$0].body == nil }
            }
            let found: Int?
            if matching == .methodURLAndBody {
                let count = requestCounts[fitting, default: 0]
                requestCounts[fitting] = count + 1
                found = count < fitting.count ? fitting[count] : nil
            } else {
                found = fitting.first { !served.contains($0) }
            }
            if let found { served.insert(found) }
            return found ?? (afterLast == .repeatLast ? fitting.last : nil)
        }
    }

    @Test(
        "Requests get the recordings that a search of all of them finds",
        arguments: [ReplayingDispatcher.Matching.methodAndURL, .methodURLAndBody],
        [MockScript.AfterLast.repeatLast, .fail])
    func plainSearch(matching: ReplayingDispatcher.Matching, afterLast: MockScript.AfterLast) async throws {
        let seed = UInt64.random(in: 0...(.max))
        var random = SeededGenerator(seed: seed)
        func line(_ bodies: [String?]) -> Line {
            let method = ["GET", "POST"].randomElement(using: &random) ?? "GET"
            let path = ["a", "b?x=1"].randomElement(using: &random) ?? "a"
            return Line(method: method, path: path, body: bodies.randomElement(using: &random) ?? "")
        }
        for round in 0..<20 {
            let lines = (0..<Int.random(in: 0...12, using: &random)).map { _ in line([nil, "", "one", "two"]) }
            let replayer = ReplayingDispatcher(try recording(lines), matching: matching, afterLast: afterLast)
            var search = PlainSearch(lines: lines, matching: matching, afterLast: afterLast)
            for step in 0..<40 {
                let asked = line(["", "one", "two", "three"]), expected = search.answer(to: asked)
                let found: String?
                do {
                    found = try await replayer.dataFuture(from: asked.urlRequest()).value.data.text
                } catch is ReplayError {
                    found = nil
                }
                #expect(found == expected.map { "\($0)" }, "seed \(seed), round \(round), step \(step)")
            }
        }
    }
}
