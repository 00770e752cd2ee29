import Foundation
import LoopbackServer

/// The server of the HTTP scenarios. It prints its port, and serves until its standard input ends. That also happens
/// when its parent process ends, in whatever way.
@main
enum BenchmarkServerProgram {
    static func main() throws {
        let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
        defer { server.stop() }
        FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
        _ = FileHandle.standardInput.readDataToEndOfFile()
    }
}
