public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests and their responses as a file has them: what a ``RecordingDispatcher`` writes, and a ``ReplayingDispatcher``
/// serves.
///
/// ```swift
/// try recorder.recording().write(to: file)                 // once, against the real server
/// let replayer = ReplayingDispatcher(try TrafficRecording(contentsOf: file))
/// ```
///
/// The file is JSON, made to be read, edited and compared by people:
///
/// ```json
/// {
///   "version" : 1,
///   "exchanges" : [
///     {
///       "request" : {
///         "method" : "POST",
///         "url" : "https://example.com/posts?draft=1",
///         "headers" : { "Authorization" : "<redacted>", "Content-Type" : "application/json" },
///         "body" : { "text" : "{\"title\":\"Hello\"}" }
///       },
///       "response" : {
///         "status" : 201,
///         "headers" : { "Content-Type" : "image/png" },
///         "body" : { "base64" : "iVBORw0KGgo=" }
///       }
///     },
///     { "request" : { "method" : "GET", "url" : "https://example.com/slow" }, "failure" : "timedOut" }
///   ]
/// }
/// ```
///
/// - `version` is 1. A file of another version is refused.
/// - A `body` is `text` (UTF-8) or `base64`; `"omitted" : true` stands for one that was not kept. Without one there is
///   none. `headers` may be left out too.
/// - `url` in a response is there where it differs from that of the request, as after redirects.
/// - In the place of a `response` there may be a `failure`: the name of a case of `TransferError.Kind`.
/// - `<redacted>` stands for what was left out: in a request, where it is the value of an item of the query (as
///   `%3Credacted%3E`), of a form or of a member of JSON, it matches anything. In the JSON of a response a secret that is a
///   number is 0.
/// - Other keys are passed over.
public struct TrafficRecording: Sendable, Equatable {
    /// The version of the file format.
    public static let version = 1

    /// The exchanges, in the order in which they were sent.
    public internal(set) var exchanges: [Exchange]

    /// What was recorded; exchanges that still run, and cancelled ones, are left out.
    ///
    /// - Parameters:
    ///   - exchanges: those of a ``RecordingDispatcher``.
    ///   - redaction: the headers, the items of queries and forms, and the members of JSON whose values are left out.
    public init(_ exchanges: [RecordedExchange], redacting redaction: HeaderRedaction = .secrets) {
        self.exchanges = exchanges.compactMap { Exchange($0, redaction) }
    }

    /// Reads a file.
    ///
    /// - Throws: ``RecordingFileError`` if it can't be read, or is no recording.
    public init(contentsOf file: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw RecordingFileError(.unreadable(error.localizedDescription), file: file)
        }
        try self.init(data: data, file: file)
    }

    /// Reads the content of a file.
    ///
    /// - Throws: ``RecordingFileError`` if it is no recording.
    public init(data: Data) throws {
        try self.init(data: data, file: nil)
    }

    private init(data: Data, file: URL?) throws {
        do {
            let version = try JSONDecoder().decode(Version.self, from: data).version
            guard version == Self.version else { throw RecordingFileError(.unknownVersion(version), file: file) }
            exchanges = try JSONDecoder().decode(Content.self, from: data).exchanges
        } catch let error as RecordingFileError {
            throw error
        } catch let error as DecodingError {
            throw RecordingFileError(.malformed(error.readableReason), file: file)
        } catch {
            throw RecordingFileError(.malformed(error.localizedDescription), file: file)
        }
    }

    /// The content of a file, the same for the same exchanges.
    ///
    /// - Throws: ``RecordingFileError``; no recording is known that can't be written as JSON.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(Content(exchanges: exchanges)) + Data("\n".utf8)
        } catch {
            throw RecordingFileError(.malformed(error.localizedDescription), file: nil)
        }
    }

    /// Writes a file, whole or not at all, in the place of one that was there before; the folders on the way are made.
    ///
    /// Nobody but the owner can read it (mode 0600): not everything that is a secret tells so by its name.
    ///
    /// - Throws: ``RecordingFileError`` if it can't be written.
    public func write(to file: URL) throws {
        let data = try data()
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileSystem.replace(file, withSecret: data)
        } catch {
            throw RecordingFileError(.unwritable(error.localizedDescription), file: file)
        }
    }

    private struct Version: Decodable {
        let version: Int
    }

    private struct Content: Codable {
        var version = TrafficRecording.version
        let exchanges: [Exchange]
    }
}
