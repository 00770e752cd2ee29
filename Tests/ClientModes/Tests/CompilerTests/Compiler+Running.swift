import Foundation

extension Compiler {
    /// Runs `swiftc` of the search path to its end, and gives its exit status.
    ///
    /// - Parameter output: the file for its output and its errors.
    static func run(_ arguments: [String], output: URL) async throws -> Int32 {
        try Data().write(to: output)
        let handle = try FileHandle(forWritingTo: output)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.standardOutput = handle
        process.standardError = handle
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }
}
