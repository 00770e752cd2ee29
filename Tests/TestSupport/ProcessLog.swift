import Foundation

/// What a process has to say to the test that has started it.
///
/// A file: to observe the output of the process would block one more thread of the pool. Each side opens it at once, while
/// the process still has descriptors.
package final class ProcessLog: Codable, Sendable {
    private let file: URL
    private let handle: FileHandle
    /// Its folder, which the test keeps until it has read it.
    private let folder: TemporaryFolder?

    private init(_ file: URL, in folder: TemporaryFolder?) throws {
        self.file = file
        self.folder = folder
        handle = try FileHandle(forUpdating: file)
    }

    package convenience init() throws {
        let folder = try TemporaryFolder()
        try self.init(folder.file("log", containing: ""), in: folder)
    }

    package convenience init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(URL.self), in: nil)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(file)
    }

    /// Adds a line at once: a process that ends by a crash has no time to flush.
    package func callAsFunction(_ line: String) throws {
        try handle.write(contentsOf: Data((line + "\n").utf8))
    }

    #if os(macOS) || os(Linux)
        /// Adds what `body` prints.
        package func record(_ body: () async throws -> Void) async throws {
            // What was printed before goes where it belongs.
            fflush(nil)
            guard dup2(handle.fileDescriptor, STDOUT_FILENO) >= 0 else { throw CocoaError(.fileWriteUnknown) }
            try await body()
            fflush(nil)
        }
    #endif

    /// All lines.
    package func text() throws -> String {
        try handle.seek(toOffset: 0)
        return try handle.readToEnd().map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
