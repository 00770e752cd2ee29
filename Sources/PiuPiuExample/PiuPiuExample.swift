import Foundation
import LoopbackServer
import PiuPiu

/// The runnable tour: `swift run PiuPiuExample`.
@main
struct PiuPiuExample {
    static func main() async {
        do {
            switch try Options(arguments: Array(CommandLine.arguments.dropFirst())) {
            case .help: print(Options.usage)
            case .tour(let baseURL): try await tour(baseURL)
            }
        } catch let error as UsageError {
            fail("\(error.localizedDescription)\n\n\(Options.usage)", code: 2)
        } catch {
            fail("The tour could not go on. \(error.localizedDescription)", code: 1)
        }
    }

    private static func tour(_ baseURL: URL?) async throws {
        let transcript = Transcript()
        let server = baseURL == nil ? try LoopbackServer.start() : nil
        defer { server?.stop() }
        guard let address = baseURL ?? server?.baseURL else { return }
        var tour = Tour(baseURL: address, dispatcher: URLRequestDispatcher(), transcript: transcript)
        tour.server = server
        try await tour.run()
        let failures = transcript.failures
        if failures.isEmpty { return print("\nAll went as expected.") }
        let list = failures.map { "- \($0)" }.joined(separator: "\n")
        fail("\n\(failures.count) did not go as expected:\n\(list)", code: 1)
    }

    private static func fail(_ message: String, code: Int32) {
        fflush(nil)
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(code)
    }
}
