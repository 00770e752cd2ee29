import Foundation

/// What a loopback server does with requests of one method and path pattern.
public struct LoopbackRoute: Sendable {
    /// Makes the reply; it runs on the connection's thread.
    public typealias Handler = @Sendable (RecordedRequest) -> LoopbackReply

    /// What happens to a request's body before the handler is called.
    public enum BodyHandling: Sendable {
        /// It is collected in memory.
        case collect
        /// It is counted and digested, however large, and not kept.
        case digest
        /// It isn't read: the handler is called after the head. When a body was announced, the connection closes.
        case ignore
    }

    let method: String
    let segments: [Substring]
    let body: BodyHandling
    let handler: Handler

    /// A route for a method (or `*` for all) and a path whose segments are literal, `{name}`, or a last `*` for any rest.
    public init(
        _ method: String, _ pathPattern: String, body: BodyHandling = .collect, handler: @escaping Handler
    ) {
        self.method = method
        self.segments = Self.segments(of: pathPattern)
        self.body = body
        self.handler = handler
    }

    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/")
    }

    /// The named parts of the path, or `nil` when method or path differ.
    func match(method: String, segments path: [Substring]) -> [String: String]? {
        guard self.method == method || self.method == "*" || (self.method == "GET" && method == "HEAD") else {
            return nil
        }
        let open = segments.last == "*"
        guard open ? path.count >= segments.count - 1 : path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (pattern, part) in zip(open ? segments.dropLast() : segments[...], path) {
            if pattern.hasPrefix("{"), pattern.hasSuffix("}") {
                parameters[String(pattern.dropFirst().dropLast())] = part.removingPercentEncoding ?? String(part)
            } else if pattern != part {
                return nil
            }
        }
        return parameters
    }
}
