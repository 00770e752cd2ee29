import Foundation
import LoopbackServer
import PiuPiu

/// What an HTTP scenario runs on: servers, a new client of each kind, and a folder for files.
struct HTTPStage {
    /// The server that tells what it has received.
    let sinkURL: URL
    /// Where the documents are: nginx, where it is installed.
    let baseURL: URL
    let contenders: [any HTTPContender]
    let folder: URL

    /// The document that is posted, and that answers the post.
    static let document = #"{"userId":1,"title":"A title","body":"Some words of a text."}"#

    /// Sets the stage with this many bytes to download, and removes it after `body`, even if that fails.
    static func run<Output>(byteCount: Int = 0, _ body: (HTTPStage) async throws -> Output) async throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiuBenchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try ServerProcess()
        let nginx = try nginx(in: folder, like: server.baseURL, byteCount: byteCount)
        let stage = HTTPStage(
            sinkURL: server.baseURL,
            baseURL: nginx?.baseURL ?? server.baseURL,
            contenders: [
                PiuPiuContender(name: PiuPiuContender.standardName, dispatcher: URLRequestDispatcher()),
                BareURLSessionContender(),
                AsyncHTTPClientContender(),
            ],
            folder: folder)
        let outcome: Result<Output, any Error>
        do { outcome = .success(try await body(stage)) } catch { outcome = .failure(error) }
        // Everything is shut down before anything is thrown.
        for contender in stage.contenders { await contender.shutDown() }
        let ending = Result {
            try nginx?.stop()
            try server.stop()
        }
        let removal = Result { try FileManager.default.removeItem(at: folder) }
        let output = try outcome.get()
        try ending.get()
        try removal.get()
        return output
    }

    /// nginx with the documents of the other server; `nil` where it isn't installed.
    private static func nginx(in folder: URL, like server: URL, byteCount: Int) throws -> NginxProcess? {
        guard NginxProcess.isInstalled else { return nil }
        let documents = [
            "bytes/\(byteCount)": LoopbackPattern.data(count: byteCount),
            "posts.json": try Data(contentsOf: server.appending(path: "posts")),
            "posts/1": try Data(contentsOf: server.appending(path: "posts/1")),
        ]
        return try NginxProcess(
            in: folder.appending(path: "nginx"), documents: documents, post: ("echo/body", document))
    }
}
