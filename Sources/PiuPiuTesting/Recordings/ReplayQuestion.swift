import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is looked up among the recorded ones.
struct ReplayQuestion {
    let method: String
    let url: URL
    private let body: ComparableBody?

    /// - Parameter comparesBody: whether the body has to be the same.
    /// - Throws: `RequestError.missingURL`.
    init(_ urlRequest: URLRequest, comparesBody: Bool) throws {
        guard let url = urlRequest.url else { throw RequestError.missingURL }
        method = urlRequest.httpMethod ?? "GET"
        self.url = url.forRecordings
        let contentType = urlRequest.value(forHTTPHeaderField: "Content-Type")
        body = comparesBody ? ComparableBody(urlRequest.httpBody, contentType: contentType) : nil
    }

    /// Whether a recorded request is the same. The body comes last: it may have to be parsed.
    func matches(_ recorded: TrafficRecording.Request) -> Bool {
        recorded.method == method
            && recorded.url.absoluteString == RecordedPlaceholders.masked(url, like: recorded.url)
            && matchesBody(of: recorded)
    }

    /// How a recorded request differs from this one.
    private func differences(from recorded: TrafficRecording.Request) -> [String] {
        var differences: [String] = []
        if recorded.method != method { differences.append("the method") }
        let asked = RecordedPlaceholders.masked(url, like: recorded.url)
        if recorded.url.absoluteString != asked {
            differences += urlDifferences(URL(string: asked) ?? url, recorded.url)
        }
        if !matchesBody(of: recorded) { differences.append("the body") }
        return differences
    }

    private func matchesBody(of recorded: TrafficRecording.Request) -> Bool {
        guard let body, recorded.body != .omitted else { return true }
        let contentType = recorded.headers.value(ofHeader: "content-type")
        return body.matches(ComparableBody(recorded.body.data, contentType: contentType))
    }

    /// The most similar recorded requests, at most three, and how each differs. Such a text goes to logs, so it shows
    /// only the names of query items.
    func nearest(in requests: [TrafficRecording.Request]) -> [String] {
        let ranked = requests.map { request in
            let differences = differences(from: request)
            let name = ExchangeName(method: request.method, url: request.url)
            let text = "\(name) (differs in \(differences.joined(separator: " and ")))"
            return (distance: differences.count + segmentDistance(from: request.url), text: text)
        }
        var texts: [String] = []
        for (_, text) in ranked.sorted(by: { $0.distance < $1.distance }) where !texts.contains(text) {
            texts.append(text)
            if texts.count == 3 { break }
        }
        return texts
    }

    private func urlDifferences(_ url: URL, _ other: URL) -> [String] {
        var differences: [String] = []
        if url.scheme != other.scheme || url.host() != other.host() || url.port != other.port {
            differences.append("the server")
        }
        if url.path(percentEncoded: true) != other.path(percentEncoded: true) { differences.append("the path") }
        let names = Set(queryItems(of: url).symmetricDifference(queryItems(of: other)).map(\.name))
        differences += names.sorted().map { "the query item \($0.quotedForErrors)" }
        // Only the order or the encoding of the items differs.
        return differences.isEmpty ? ["the spelling of the URL"] : differences
    }

    private func queryItems(of url: URL) -> Set<URLQueryItem> {
        Set(URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [])
    }

    /// How many segments of the path differ.
    private func segmentDistance(from other: URL) -> Int {
        let own = url.pathSegments, others = other.pathSegments
        let same = zip(own, others).count { $0 == $1 }
        return max(own.count, others.count) - same
    }
}

/// The body of a request, ready to compare: JSON by its meaning, a multipart form without regard to its boundary, and
/// anything else byte by byte. A value that a recording has left out matches anything.
private struct ComparableBody {
    private let data: Data
    private let json: Any?
    private let boundary: String?

    init(_ data: Data?, contentType: String?) {
        self.data = data ?? Data()
        boundary = SecretFields.boundary(in: contentType)
        json = boundary == nil ? RecordedPlaceholders.json(self.data) : nil
    }

    func matches(_ recorded: Self) -> Bool {
        if let json, let expected = recorded.json, let text = RecordedPlaceholders.sorted(expected) {
            return RecordedPlaceholders.sorted(RecordedPlaceholders.masked(json, like: expected)) == text
        }
        let data = data(boundedLike: recorded)
        return data == recorded.data || recorded.matches(masked: data)
    }

    /// The bytes, those of a form with the boundary of the recorded one: a form may get a random one each time.
    private func data(boundedLike recorded: Self) -> Data {
        guard let boundary, let other = recorded.boundary, boundary != other else { return data }
        let (delimiter, replacement) = (Data("--\(boundary)".utf8), Data("--\(other)".utf8))
        var output = Data(), place = data.startIndex
        while let range = data.range(of: delimiter, in: place..<data.endIndex) {
            output += data[place..<range.lowerBound] + replacement
            place = range.upperBound
        }
        return output + data[place...]
    }

    private func matches(masked data: Data) -> Bool {
        // Each byte as a character: a form may contain a file.
        guard let recorded = String(data: self.data, encoding: .isoLatin1),
            let text = String(data: data, encoding: .isoLatin1)
        else { return false }
        return RecordedPlaceholders.masked(text, like: recorded) == recorded
            || RecordedPlaceholders.matches(text, recorded)
    }
}
