import Foundation
import PiuPiu

/// What an HTTP scenario runs on: a server, a new client of each kind, and a folder for files.
struct HTTPStage {
    let baseURL: URL
    let contenders: [any HTTPContender]
    let folder: URL

    /// Sets the stage, and clears it away after `body`, also when that has failed.
    static func run<Output>(_ body: (HTTPStage) async throws -> Output) async throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "PiuPiuBenchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let server = try ServerProcess()
        let stage = HTTPStage(
            baseURL: server.baseURL,
            contenders: [
                PiuPiuContender(name: PiuPiuContender.standardName, dispatcher: URLRequestDispatcher()),
                BareURLSessionContender(),
                AsyncHTTPClientContender(),
            ],
            folder: folder)
        let outcome: Result<Output, any Error>
        do { outcome = .success(try await body(stage)) } catch { outcome = .failure(error) }
        // All of it goes before anything is thrown.
        for contender in stage.contenders { await contender.shutDown() }
        let ending = Result { try server.stop() }
        let removal = Result { try FileManager.default.removeItem(at: folder) }
        let output = try outcome.get()
        try ending.get()
        try removal.get()
        return output
    }
}
