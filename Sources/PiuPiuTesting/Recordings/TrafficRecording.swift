public import Foundation
public import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests and their responses in a file, written by a ``RecordingDispatcher`` and served by a
/// ``ReplayingDispatcher``.
///
/// ```swift
/// try recorder.recording().write(to: file)                 // once, against the real server
/// let replayer = ReplayingDispatcher(try TrafficRecording(contentsOf: file))
/// ```
///
/// The file is JSON that people can read, edit and compare:
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
/// - A `body` is `text` (UTF-8) or `base64`; `"omitted" : true` stands for a body that was not kept. `body` and
///   `headers` are optional.
/// - `url` in a response is there if it differs from that of the request, as after redirects.
/// - Instead of a `response` there may be a `failure`: the name of a case of `TransferError.Kind`. In a response it
///   stands for a stream that broke after this part of its body: in a replay the stream breaks there, and every other
///   future of this request fails.
/// - `<redacted>` stands for a secret. In a request it matches anything where it is the value of a query item (as
///   `%3Credacted%3E`), of a form item or of a member of JSON. In the JSON of a response a secret number becomes 0, and a secret
///   UUID that of zeros, so that they still decode. For a secret of another type, such as an enum or base64, edit the
///   file. For names of your own, record with `HeaderRedaction.secrets.adding(…)`: `HeaderRedaction(…)` leaves out these
///   names alone, and writes `Authorization`, `Cookie` and the like to the file.
/// - Other keys are ignored.
public struct TrafficRecording: Sendable, Equatable {
    /// The version of the file format.
    public static let version = 1

    /// The exchanges, in the order in which they began.
    public internal(set) var exchanges: [Exchange]

    /// Makes a recording; it leaves out exchanges that are in flight, or were cancelled before their response. Of a
    /// stream that was cancelled later it has the part that was read.
    ///
    /// - Parameters:
    ///   - exchanges: those of a ``RecordingDispatcher``.
    ///   - redaction: the names whose values are left out: headers, items of queries and forms, members of JSON.
    ///     `HeaderRedaction(…)` leaves out its names alone, `HeaderRedaction.secrets.adding(…)` adds some.
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

    /// The content of a file; equal exchanges give equal content.
    ///
    /// - Throws: ``RecordingFileError`` if it can't be written as JSON; no such recording is known.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(Content(exchanges: exchanges)) + Data("\n".utf8)
        } catch {
            throw RecordingFileError(.malformed(error.localizedDescription), file: nil)
        }
    }

    /// Writes a file, whole or not at all. It replaces a file that is there, and creates missing folders.
    ///
    /// Only the owner can read it (mode 0600), as redaction doesn't find every secret by its name.
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
