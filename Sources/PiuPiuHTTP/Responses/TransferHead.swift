public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The head of a response: its status and its header fields, or less for a response that is no HTTP.
///
/// ```swift
/// onEvent(.head(TransferHead(url: url, status: 200, fields: [("Content-Type", "text/plain")]), request: urlRequest))
/// ```
///
/// Fields are kept line by line, in the order of their arrival. A Foundation response is made from them only on demand,
/// as that takes longer than most of an exchange.
public struct TransferHead: Sendable {
    private enum Content: Sendable {
        case lines(HeadContent)
        case response(URLResponse)
    }

    private let content: Content

    /// Further facts about the response; mostly none until its end.
    private var notes = HeadNotes.none

    /// The redirects that were followed to this response, in order. A dispatcher sets them.
    public package(set) var redirects: [TransferRedirect] {
        get { notes.value.redirects }
        set { notes.value.redirects = newValue }
    }

    /// The measurements of the last hop, once the response is complete. A dispatcher sets them.
    public package(set) var metrics: TransferMetrics? {
        get { notes.value.metrics }
        set { notes.value.metrics = newValue }
    }

    /// The attempts before the one that brought this response, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt] {
        get { notes.value.earlierAttempts }
        set { notes.value.earlierAttempts = newValue }
    }

    /// What a cache did for it; `nil` without a cache.
    public package(set) var cacheStatus: CacheStatus? {
        get { notes.value.cacheStatus }
        set { notes.value.cacheStatus = newValue }
    }

    /// The stored response that the server has validated with a 304, for the cache that has it.
    package var validatedObject: (any AnyObject & Sendable)? {
        get { notes.value.validated }
        set { notes.value.validated = newValue }
    }

    /// Whether its cookies have to be set: those of a stored response were set when it arrived.
    package var setsCookies: Bool {
        get { notes.value.setsCookies }
        set { notes.value.setsCookies = newValue }
    }

    /// The beginning of a body that wasn't saved: that of a download whose status brings no file.
    package var unsavedBody: BodyExcerpt? {
        get { notes.value.unsavedBody }
        set { notes.value.unsavedBody = newValue }
    }

    /// Makes a head from the fields of an HTTP response.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - status: the status code.
    ///   - version: the version of HTTP, "HTTP/1.1" or "HTTP/2".
    ///   - fields: the names and values of the header fields, in order; a name may come more than once.
    public init(url: URL, status: Int, version: String = "HTTP/1.1", fields: [(name: String, value: String)] = []) {
        var lines = HeadLines()
        for (name, value) in fields {
            // A line feed would begin another field, and a colon would end the name.
            let name = name.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: ":") ? UInt8(ascii: " ") : $0 }
            lines.append(name: name, value: value.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
        }
        self.init(url: url, status: status, version: version, lines: lines)
    }

    /// Makes a head from the lines of a connection.
    package init(url: URL, status: Int, version: String, lines: HeadLines) {
        content = .lines(HeadContent(url: url, status: status, version: version, lines: lines))
    }

    /// Makes a head from a response of Foundation.
    public init(_ response: URLResponse) {
        content = .response(response)
    }

    /// Whether its body was lost, so that none is expected.
    package var hasLostBody: Bool { notes.value.isWithoutLength }

    /// The same head, with no body expected, whatever length it announces.
    package var withoutLength: TransferHead {
        var head = self
        head.notes.value.isWithoutLength = true
        return head
    }

    /// Whether nothing but the end of the connection ends its body: then nobody can tell whether it was cut off.
    package var endsWithConnection: Bool { notes.value.endsWithConnection }

    /// The same head, whose body ends with the connection.
    package var endingWithConnection: TransferHead {
        var head = self
        head.notes.value.endsWithConnection = true
        return head
    }

    /// The same head, with another response of Foundation.
    package func replacing(_ response: URLResponse) -> TransferHead {
        var head = TransferHead(response)
        head.notes = notes
        return head
    }

    /// The URL of the request.
    public var url: URL? {
        switch content {
        case .lines(let content): content.url
        case .response(let response): response.url
        }
    }

    /// The status code of an HTTP response.
    public var status: Int? {
        switch content {
        case .lines(let content): content.status
        case .response(let response): (response as? HTTPURLResponse)?.statusCode
        }
    }

    /// The version of HTTP, "HTTP/1.1" or "HTTP/2", if known.
    public var version: String? {
        if case .lines(let content) = content { content.version } else { nil }
    }

    /// Whether fields of the same name are still separate.
    package var isLineByLine: Bool {
        if case .lines = content { true } else { false }
    }

    /// Whether the connection carries several exchanges at once.
    package var isMultiplexed: Bool { version.flatMap(Self.isMultiplexed) ?? false }

    /// Whether a connection of this version of HTTP carries several exchanges at once; `nil` if that is unknown.
    package static func isMultiplexed(_ version: String) -> Bool? {
        if version == "HTTP/1.1" { return false }
        if version.hasPrefix("HTTP/2") || version.hasPrefix("HTTP/3") { return true }
        return version.hasPrefix("HTTP/1") ? false : nil
    }

    /// Whether a server has just shown that its connection carries several exchanges at once, or one after the other;
    /// `nil` if this head shows neither. What comes from a cache may be older than the connection.
    package var showsMultiplexing: Bool? {
        guard cacheStatus.map({ !$0.isHit && $0.forwardStatus == status }) ?? true else { return nil }
        return version.flatMap(Self.isMultiplexed)
    }

    /// The values of the header fields of a name, whatever its case, in order.
    ///
    /// A response of Foundation has joined the values of a name to one.
    public func values(for name: String) -> [String] {
        switch content {
        case .lines(let content): content.lines.values(for: name)
        case .response(let response):
            (response as? HTTPURLResponse)?.value(forHTTPHeaderField: name).map { [$0] } ?? []
        }
    }

    /// The values of the header fields of a name, joined with commas; `nil` if there is none.
    public func value(for name: String) -> String? {
        let values = values(for: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The names and values of the header fields, one after the other.
    ///
    /// A response of Foundation has joined the values of a name and lost their order: its fields are sorted by name.
    public var fields: [(name: String, value: String)] {
        switch content {
        case .lines(let content): content.lines.fields
        case .response(let response):
            ((response as? HTTPURLResponse)?.headersByName ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// The names of the body's content codings, in lower case, in the order in which they were applied (RFC 9110,
    /// section 8.4). Servers also send "identity", "none" and empty fields for a body without one: these don't count.
    package var contentCodings: [String] {
        switch content {
        case .lines(let content): content.contentCodings
        case .response: HeadLines.contentCodings(values(for: "Content-Encoding"))
        }
    }

    /// The length of the body that the server has announced.
    package var announcedLength: AnnouncedLength {
        guard !notes.value.isWithoutLength else { return .none }
        switch content {
        case .lines(let content): return content.announcedLength
        case .response(let response as HTTPURLResponse):
            return AnnouncedLength(
                response.value(forHTTPHeaderField: "Content-Length").map { [$0] } ?? [],
                isCoded: !contentCodings.isEmpty,
                isChunked: response.value(forHTTPHeaderField: "Transfer-Encoding") != nil)
        case .response(let response):
            return response.expectedContentLength < 0 ? .none : .bytes(response.expectedContentLength)
        }
    }

    /// The announced length of the body, coded or not, or -1.
    package var expectedContentLength: Int64 {
        switch content {
        case .lines: announcedLength.value ?? -1
        // A chunked body may also announce a length, which doesn't count.
        case .response(let response as HTTPURLResponse)
        where response.value(forHTTPHeaderField: "Transfer-Encoding") != nil:
            -1
        case .response(let response): response.expectedContentLength
        }
    }

    /// Whether a network delivers no body with it, whatever length it announces, and whatever a mock answers.
    package func isBare(answering urlRequest: URLRequest) -> Bool {
        urlRequest.httpMethod?.uppercased() == "HEAD" || [204, 304].contains(status)
    }

    /// The head as a response of Foundation, an `HTTPURLResponse` for HTTP; the same object each time.
    public var urlResponse: URLResponse {
        switch content {
        case .lines(let content): content.urlResponse
        case .response(let response): response
        }
    }
}
