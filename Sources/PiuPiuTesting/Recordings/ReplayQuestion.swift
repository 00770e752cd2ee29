import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request that is looked up among the recorded ones.
struct ReplayQuestion {
    let method: String
    let url: URL
    /// Whether the body is known: that of a stream isn't, as nobody reads it.
    let knowsBody: Bool
    private let body: AskedBody?

    /// - Parameter comparesBody: whether the body has to be the same.
    /// - Throws: `RequestError.missingURL`.
    init(_ urlRequest: URLRequest, comparesBody: Bool) throws {
        guard let url = urlRequest.url else { throw RequestError.missingURL }
        method = urlRequest.httpMethod ?? "GET"
        self.url = url.forRecordings
        knowsBody = urlRequest.httpBodyStream == nil
        let contentType = urlRequest.value(forHTTPHeaderField: "Content-Type")
        body = knowsBody && comparesBody ? AskedBody(urlRequest.httpBody, contentType: contentType) : nil
    }

    /// The numbers of the groups of recorded requests that are the same. The bodies come last: they may have to be
    /// parsed.
    func groups(in index: ReplayIndex) -> [Int] {
        index.groups(with: method, url) { RecordedPlaceholders.masked($0, $1) }
            .filter { matchesBody(of: index.groups[$0].request) }
    }

    /// How a recorded request differs from this one.
    private func differences(from recorded: ReplayedRequest) -> [String] {
        var differences: [String] = []
        let request = recorded.request
        if request.method != method { differences.append("the method") }
        let asked = RecordedPlaceholders.masked(url, like: request.url)
        if request.url.absoluteString != asked {
            differences += urlDifferences(URL(string: asked) ?? url, request.url)
        }
        if !matchesBody(of: recorded) { differences.append("the body") }
        return differences
    }

    /// Whether the body of a recorded request is the same, if it has to be.
    func matchesBody(of recorded: ReplayedRequest) -> Bool {
        guard let body, recorded.request.body != .omitted else { return true }
        return body.matches(recorded)
    }

    /// The most similar recorded requests, at most three, and how each differs. Such a text goes to logs, so it shows
    /// only the names of query items.
    func nearest(in requests: [ReplayedRequest]) -> [String] {
        let ranked = requests.map { recorded in
            let request = recorded.request, differences = differences(from: recorded)
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
///
/// A class, as it keeps what it has masked: many recorded bodies may have left out the same.
private final class AskedBody {
    private let data: Data
    private let boundary: String?
    private let json: Any?
    /// The JSON in one order.
    private let sortedJSON: Data?
    /// The same as it would have been recorded, by what was left out.
    private var maskedJSON: [JSONPlaceholders: Data?] = [:]

    init(_ data: Data?, contentType: String?) {
        self.data = data ?? Data()
        boundary = SecretFields.boundary(in: contentType)
        json = boundary == nil ? RecordedPlaceholders.json(self.data) : nil
        sortedJSON = json.flatMap { RecordedPlaceholders.sorted($0) }
    }

    func matches(_ recorded: ReplayedRequest) -> Bool {
        // As most often: then the recorded body needn't be parsed.
        if data == recorded.data { return true }
        let body = recorded.body
        if let json, let expected = body.json {
            return sorted(json, without: body.placeholders) == expected
        }
        let bounded = data(boundedBy: body.boundary)
        return bounded == recorded.data || body.matches(masked: bounded)
    }

    /// The JSON in one order, without what a recording has left out.
    private func sorted(_ json: Any, without placeholders: JSONPlaceholders?) -> Data? {
        guard let placeholders else { return sortedJSON }
        if let known = maskedJSON[placeholders] { return known }
        let masked = RecordedPlaceholders.sorted(placeholders.masked(json))
        maskedJSON.updateValue(masked, forKey: placeholders)
        return masked
    }

    /// The bytes, those of a form with the boundary of the recorded one: a form may get a random one each time.
    private func data(boundedBy other: String?) -> Data {
        guard let boundary, let other, boundary != other else { return data }
        let (delimiter, replacement) = (Data("--\(boundary)".utf8), Data("--\(other)".utf8))
        var output = Data(), place = data.startIndex
        while let range = data.range(of: delimiter, in: place..<data.endIndex) {
            output += data[place..<range.lowerBound] + replacement
            place = range.upperBound
        }
        return output + data[place...]
    }
}
