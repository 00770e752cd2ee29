import Foundation

/// Python's standard library as an independent decoder.
enum Python {
    static let isThere = (try? Process.run(program, arguments: ["python3", "--version"]))?.succeeds ?? false

    private static let program = URL(filePath: "/usr/bin/env")

    /// Runs a script over a file with this input, and gives the content of the file that it writes.
    ///
    /// - Parameter script: finds the paths of both files in `sys.argv[1]` and `sys.argv[2]`.
    static func output(of script: String, input: Data) throws -> Data {
        let folder = try TemporaryFolder()
        let source = folder.file("in"), result = folder.file("out")
        try input.write(to: source)
        let process = try Process.run(
            program, arguments: ["python3", "-c", script, source.path(), result.path()])
        guard process.succeeds else { throw Failure(status: process.terminationStatus) }
        return try Data(contentsOf: result)
    }

    struct Failure: Error {
        let status: Int32
    }
}

extension Process {
    fileprivate var succeeds: Bool {
        waitUntilExit()
        return terminationStatus == 0
    }
}
