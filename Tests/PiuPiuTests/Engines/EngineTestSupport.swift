import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Records what a `@Sendable` closure receives, in order.
struct Log<Element: Sendable>: Sendable {
    private let elements = Locked<[Element]>([])
    /// The same elements, to wait for.
    let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func append(_ element: Element) {
        elements.withLock { $0.append(element) }
        continuation.yield(element)
    }

    func finish() { continuation.finish() }

    var all: [Element] { elements.withLock { $0 } }

    /// Waits for an element.
    func first(where matches: (Element) -> Bool) async -> Element? {
        for await element in stream where matches(element) { return element }
        return nil
    }
}

extension Log<TransferEvent> {
    /// Waits for the terminal event and returns all of them.
    func untilTheEnd() async -> [TransferEvent] {
        _ = await first { $0.isTerminal }
        return all
    }
}

extension TransferEngine {
    /// Sends a GET, or another request; `updates` receives its reports.
    func load(
        _ url: URL, method: String = "GET", headers: [String: String] = [:], body: Data? = nil,
        timeout: TimeInterval = 3600, updates: Log<TransferUpdate>? = nil
    ) async throws -> DataSink.Output {
        var request = URLRequest(url: url, timeoutInterval: timeout)
        request.httpMethod = method
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await run(request) { updates?.append($0) }
    }

    /// Sends a request as a dispatcher does.
    func run(
        _ request: URLRequest, report: @escaping @Sendable (TransferUpdate) -> Void = { _ in }
    ) async throws -> DataSink.Output {
        let router = self as? EngineRouter ?? EngineRouter(self)
        return try await Transfer.run(TransferRequest(request), on: router, into: DataSink(), report: report)
    }

    /// The error that a request ends with, or `nil`.
    func failure(_ url: URL, method: String = "GET", timeout: TimeInterval = 3600) async -> (any Error)? {
        do {
            _ = try await load(url, method: method, timeout: timeout)
            return nil
        } catch {
            return error
        }
    }
}

extension URLResponse {
    var status: Int? { (self as? HTTPURLResponse)?.statusCode }
}

extension Data? {
    var text: String? { map { String(decoding: $0, as: UTF8.self) } }
}

/// What `/echo` answers.
struct Echo: Decodable {
    let method: String
    let path: String
    let headers: [String: String]
    let body: String

    init(_ data: Data?) throws {
        self = try JSONDecoder().decode(Echo.self, from: data ?? Data())
    }

    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }
}

/// A URL that must be valid.
func url(_ text: String) throws -> URL {
    try #require(URL(string: text))
}

/// `#expect` for the result of a mutating call, which the macro can't capture.
func check<Value: Equatable>(_ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation) {
    #expect(value == expected, sourceLocation: location)
}
