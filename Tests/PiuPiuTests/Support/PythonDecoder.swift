#if os(Linux) || os(macOS)
    import Foundation
    import TestSupport
    import Testing

    /// Python's standard library, as a decoder independent of this package.
    enum PythonDecoder {
        /// Whether there is a `python3` in the search path.
        static let isPresent: Bool = {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
        }()

        /// Runs a script on some values.
        ///
        /// The script reads them from `values`, and leaves its own in `result`; both pass as JSON.
        static func run<Input: Encodable, Output: Decodable>(
            _ script: String, with values: Input, as type: Output.Type = Output.self
        ) async throws -> Output {
            let folder = try TemporaryFolder()
            let input = folder.file("input.json"), output = folder.file("output.json")
            try JSONEncoder().encode(values).write(to: input)
            let frame = """
                import json, sys
                values = json.load(open(sys.argv[1], encoding="utf-8"))
                \(script)
                json.dump(result, open(sys.argv[2], "w", encoding="utf-8"))
                """
            let files = [input, output].map { $0.path(percentEncoded: false) }
            let status = try await ChildProcess.run("python3", ["-c", frame] + files)
            try #require(status == 0, "The script failed; standard error has the reason.")
            return try JSONDecoder().decode(Output.self, from: Data(contentsOf: output))
        }
    }
#endif
