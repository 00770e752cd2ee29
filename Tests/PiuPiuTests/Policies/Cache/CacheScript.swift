import Foundation
import PiuPiu
import PiuPiuTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests in order over a cache, each with the server's answer and where the caller's answer must come from.
struct CacheScript: Sendable, CustomStringConvertible {
    /// Where an answer comes from.
    enum Source: String, Sendable {
        case cache, server, etag, date, gateway
    }

    struct Step: Sendable {
        var method = "GET"
        var path = "/a"
        var request: [String: String] = [:]
        var policy = URLRequest.CachePolicy.useProtocolCachePolicy
        var status = 200
        /// The server's header fields; "@10" is ten seconds later, for `Last-Modified` ten seconds after the start.
        var response: [(String, String)] = []
        var error: TransferError.Kind?
        var source: Source?
        /// The header fields that the server must see, "-" for none.
        var sends: [String: String] = [:]
        /// The header fields that the caller must see, "-" for none.
        var sees: [String: String] = [:]
        /// The time until the next step.
        var pause: TimeInterval = 3
        /// How long the server takes for the head.
        var delay: TimeInterval = 0
    }

    let name: String
    let steps: [Step]

    var description: String { name }

    init(_ name: String, _ steps: Step...) {
        self.name = name
        self.steps = steps
    }

    /// Runs the steps, and checks each.
    func run(_ decorate: (URLRequestDispatcher) -> URLRequestDispatcher = { $0 }) async throws {
        let clock = WallClock(), current = Locked(0), steps = steps
        let origin = CacheOrigin { request, number in
            let step = steps[current.withLock { $0 }]
            clock.advance(by: step.delay)
            var answer = CacheOrigin.Answer(
                status: step.status,
                fields: step.response.map { name, value in
                    guard value.hasPrefix("@"), let offset = TimeInterval(value.dropFirst()) else {
                        return (name, value)
                    }
                    // A modification is at a fixed time.
                    return (
                        name, name == "Last-Modified" ? WallClock.text(WallClock.start + offset) : clock.text(offset)
                    )
                }, error: step.error)
            answer.fields.append(("Number", "\(number)"))
            let isValidated = step.source == .etag || step.source == .date
            if isValidated { answer.status = 304 } else { answer.body = "body \(number)" }
            return answer
        }
        let cache = HTTPCache(now: { Date(timeIntervalSince1970: clock.now) })
        let dispatcher = decorate(URLRequestDispatcher(engine: origin).cached(in: cache))
        for (index, step) in steps.enumerated() {
            current.withLock { $0 = index }
            let before = origin.count
            var request = URLRequest(url: try url("http://host\(step.path)"), cachePolicy: step.policy)
            request.httpMethod = step.method
            for (name, value) in step.request { request.setValue(value, forHTTPHeaderField: name) }
            let at: Comment = "\(name): step \(index + 1)"
            do {
                let response = try await dispatcher.dataFuture(from: request).value
                let sent = origin.requests.withLock { $0[before...] }
                if let expected = step.source {
                    #expect(Self.source(of: response, sent: Array(sent)) == expected, at)
                }
                for (name, value) in step.sends {
                    #expect((sent.last?.value(forHTTPHeaderField: name) ?? "-") == value, at)
                }
                for (name, value) in step.sees { #expect((response.head.value(for: name) ?? "-") == value, at) }
            } catch let error as TransferError {
                #expect(step.error == error.kind, at)
                #expect(step.source == nil || step.source == .server, at)
            }
            clock.advance(by: step.pause)
        }
    }

    private static func source(of response: Response<Data?>, sent: [URLRequest]) -> Source? {
        guard let request = sent.last else { return response.head.status == 504 ? .gateway : .cache }
        guard response.cacheStatus?.forwardStatus == 304, response.head.status != 304 else {
            // A stored response may answer after an error as well.
            return response.cacheStatus?.detail == nil ? .server : .cache
        }
        return request.value(forHTTPHeaderField: "If-None-Match") != nil ? .etag : .date
    }
}
