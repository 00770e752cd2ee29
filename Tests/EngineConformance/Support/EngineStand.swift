import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a check works with: a server and a folder of its own, and a dispatcher over the engine.
struct EngineStand: Sendable {
    let server: LoopbackServer
    let folder: URL
    let dispatcher: URLRequestDispatcher
    let makeEngine: @Sendable () -> any TransferEngine

    init(_ makeEngine: @escaping @Sendable () -> any TransferEngine) throws {
        self.makeEngine = makeEngine
        var dispatcher = URLRequestDispatcher(engine: makeEngine())
        // Some checks announce endless bodies, which must be cancelled, not refused.
        dispatcher.maximumBodySize = .max
        self.dispatcher = dispatcher
        server = try LoopbackServer.start()
        folder = FileManager.default.temporaryDirectory
            .appending(path: "EngineConformance-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        server.stop()
        // If this fails, the system cleans up.
        try? FileManager.default.removeItem(at: folder)
    }

    // MARK: Requests

    func request(
        _ path: String, method: HTTPMethod = .get, headers: [String: String] = [:], timeout: TimeInterval = 3600
    ) -> URLRequest {
        request(server.url(path), method: method, headers: headers, timeout: timeout)
    }

    func request(
        _ url: URL, method: HTTPMethod = .get, headers: [String: String] = [:], timeout: TimeInterval = 3600
    ) -> URLRequest {
        var request = URLRequest(url: url, method: method)
        request.timeoutInterval = timeout
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    func load(_ request: URLRequest) async throws -> Response<Data?> {
        try await dispatcher.dataFuture(from: request).value
    }

    func load(_ path: String) async throws -> Response<Data?> {
        try await load(request(path))
    }

    /// Sends a request that must be answered as usual, whatever happened before.
    ///
    /// A server may close a connection while the request is in flight; an engine need not send it again by itself.
    func expectSoundEngine() async throws {
        let response: Response<Data?>
        do {
            response = try await load("/text")
        } catch let error as TransferError where error.kind == .connectionLost {
            response = try await load("/text")
        }
        try expect(response.status, is: 200, "the status of a plain request afterwards")
        try expect(response.text, is: "Grüße von 127.0.0.1\n", "the body of a plain request afterwards")
    }

    // MARK: Files

    /// A new file with the first `count` bytes of the pattern.
    func makeFile(bytes count: Int) throws -> URL {
        let file = folder.appending(path: "upload-\(count)", directoryHint: .notDirectory)
        try LoopbackPattern.data(count: count).write(to: file)
        return file
    }

    /// All that is in the folder, hidden files included.
    func filesInFolder() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
    }
}

extension ResponseInterface {
    var status: Int? { (urlResponse as? HTTPURLResponse)?.statusCode }

    func header(_ name: String) -> String? {
        (urlResponse as? HTTPURLResponse)?.value(forHTTPHeaderField: name)
    }
}

extension Response<Data?> {
    var text: String { String(decoding: data ?? Data(), as: UTF8.self) }
}

/// The error that `work` ends with; it must fail.
func failure<Value: Sendable>(of what: String, _ work: () async throws -> Value) async throws -> any Error {
    let value: Value
    do { value = try await work() } catch { return error }
    throw EngineMisbehaviour("\(what) has succeeded with \(value)")
}

/// Throws unless `error` is a ``TransferError`` of one of these kinds.
@discardableResult
func expect(_ error: any Error, isOneOf kinds: [TransferError.Kind]) throws -> TransferError {
    guard let transferError = error as? TransferError else {
        throw EngineMisbehaviour("\(type(of: error)) instead of a TransferError: \(error)")
    }
    try expect(
        kinds.contains(transferError.kind),
        "\(transferError.kind) instead of \(kinds.map { "\($0)" }.joined(separator: " or ")): \(transferError)")
    return transferError
}
