import Foundation

/// The server of the HTTP scenarios: a process of its own, so that its processor time isn't counted as a client's.
///
/// It ends with `stop()`, or with this process, as its standard input ends then.
final class ServerProcess {
    let baseURL: URL
    private let process: Process
    private let input: FileHandle

    init() throws {
        guard let program = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "BenchmarkServer")
        else { throw NoServer(reason: "this program doesn't know where it is") }
        let process = Process(), input = Pipe(), output = Pipe()
        process.executableURL = program
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.process = process
        self.input = input.fileHandleForWriting
        guard let port = Self.firstLine(of: output.fileHandleForReading).flatMap({ Int($0) }),
            let url = URL(string: "http://127.0.0.1:\(port)")
        else {
            try? self.input.close()
            process.waitUntilExit()
            throw NoServer(reason: "\(program.path) has printed no port")
        }
        baseURL = url
    }

    /// Ends the server, and returns when it is gone.
    func stop() throws {
        try input.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw NoServer(reason: "it has ended with status \(process.terminationStatus)")
        }
    }

    private static func firstLine(of output: FileHandle) -> String? {
        var text = Data()
        while !text.contains(UInt8(ascii: "\n")) {
            let part = output.availableData
            guard !part.isEmpty else { return nil }
            text.append(part)
        }
        return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// The server could not be started, or has failed.
struct NoServer: Error, CustomStringConvertible {
    let reason: String

    var description: String { "The server of the HTTP scenarios isn't there: \(reason)." }
}
