public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The head of a response: its status and its header fields, or what is known of a response that is no HTTP.
///
/// ```swift
/// onEvent(.head(TransferHead(url: url, status: 200, fields: [("Content-Type", "text/plain")]), request: urlRequest))
/// ```
///
/// Fields are kept line by line, in the order in which they came. A Foundation response is made of them only when
/// somebody asks for it, as that takes longer than most of an exchange.
public struct TransferHead: Sendable {
    private enum Content: Sendable {
        /// The lines of the fields, "name:value" each, with a line feed after it.
        case lines(url: URL, status: Int, version: String, bytes: [UInt8])
        case response(URLResponse)
    }

    private let content: Content

    /// The length of the body that the server has announced.
    private(set) var announcedLength: AnnouncedLength

    /// Makes a head of the fields of an HTTP response.
    ///
    /// - Parameters:
    ///   - url: what was asked for.
    ///   - status: the status code.
    ///   - version: that of HTTP, "HTTP/1.1" or "HTTP/2".
    ///   - fields: the names and values of the header fields, in order; a name may come more than once.
    public init(url: URL, status: Int, version: String = "HTTP/1.1", fields: [(name: String, value: String)] = []) {
        var lines = HeadLines()
        // A line feed would begin another field.
        for (name, value) in fields { lines.append(name: name.utf8, value: value.utf8.map { $0 == 0x0A ? 0x20 : $0 }) }
        self.init(url: url, status: status, version: version, lines: lines)
    }

    /// Makes a head of the lines that a connection has brought.
    init(url: URL, status: Int, version: String, lines: HeadLines) {
        content = .lines(url: url, status: status, version: version, bytes: lines.bytes)
        announcedLength = AnnouncedLength(lines.values(for: "content-length"), isCoded: lines.isCoded)
    }

    /// Makes a head of a response of Foundation's.
    public init(_ response: URLResponse) {
        content = .response(response)
        guard let http = response as? HTTPURLResponse else {
            announcedLength = response.expectedContentLength < 0 ? .none : .bytes(response.expectedContentLength)
            return
        }
        let coding = http.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        announcedLength = AnnouncedLength(
            http.value(forHTTPHeaderField: "Content-Length").map { [$0] } ?? [], isCoded: coding != "identity")
    }

    /// The head of which no body is to be expected, whatever it announces.
    var withoutLength: TransferHead {
        var head = self
        head.announcedLength = .none
        return head
    }

    /// What was asked for.
    public var url: URL? {
        switch content {
        case .lines(let url, _, _, _): url
        case .response(let response): response.url
        }
    }

    /// The status code of an HTTP response.
    public var status: Int? {
        switch content {
        case .lines(_, let status, _, _): status
        case .response(let response): (response as? HTTPURLResponse)?.statusCode
        }
    }

    /// The version of HTTP, "HTTP/1.1" or "HTTP/2", where it is known.
    public var version: String? {
        if case .lines(_, _, let version, _) = content { version } else { nil }
    }

    /// Whether fields of the same name are still apart.
    var isLineByLine: Bool {
        if case .lines = content { true } else { false }
    }

    /// Whether the connection carries several exchanges at once.
    var isMultiplexed: Bool { version?.hasPrefix("HTTP/2") == true || version?.hasPrefix("HTTP/3") == true }

    /// The values of the header fields of a name, whatever its case, in order.
    ///
    /// A response of Foundation's has joined those of a name to one.
    public func values(for name: String) -> [String] {
        switch content {
        case .lines(_, _, _, let bytes): HeadLines(bytes: bytes).values(for: name)
        case .response(let response):
            (response as? HTTPURLResponse)?.value(forHTTPHeaderField: name).map { [$0] } ?? []
        }
    }

    /// The values of the header fields of a name, with commas between them; `nil` if there is none.
    public func value(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The length of the body, or -1: that which is announced, coded or not.
    var expectedContentLength: Int64 {
        switch content {
        case .lines: announcedLength.value ?? -1
        case .response(let response): response.expectedContentLength
        }
    }

    /// The head as a response of Foundation's: an `HTTPURLResponse`, for HTTP.
    public var urlResponse: URLResponse {
        switch content {
        case .response(let response): return response
        case .lines(let url, let status, let version, let bytes):
            let response = HTTPURLResponse(
                url: url, statusCode: status, httpVersion: version, headerFields: HeadLines(bytes: bytes).dictionary)
            // Foundation makes one of whatever it is given; the other one is for the case that it no longer does.
            return response
                ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        }
    }
}

/// The length of a body as a server has announced it (RFC 9110, section 8.6).
enum AnnouncedLength: Sendable, Equatable {
    case none
    case bytes(Int64)
    /// The length of a coded body: not of what arrives.
    case coded(Int64)
    /// None that can be counted, or several.
    case invalid

    init(_ values: [String], isCoded: Bool) {
        guard !values.isEmpty else {
            self = .none
            return
        }
        // The same, several times, is one (RFC 9110, section 8.6).
        let lengths = Set(
            values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { text -> Int64? in
                let digits = text.trimmingCharacters(in: .whitespaces)
                return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
            })
        guard lengths.count == 1, let length = lengths.first.flatMap({ $0 }) else {
            self = .invalid
            return
        }
        self = isCoded ? .coded(length) : .bytes(length)
    }

    var value: Int64? {
        switch self {
        case .bytes(let length), .coded(let length): length
        case .none, .invalid: nil
        }
    }
}
