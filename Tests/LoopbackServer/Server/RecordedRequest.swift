public import Foundation

/// A request that a loopback server has received.
public struct RecordedRequest: Sendable {
    /// The method, in its original spelling.
    public var method: String
    /// The target of the request line as it stood there.
    public var target: String
    /// The target's path, still percent-encoded.
    public var path: String
    /// The target's query, still percent-encoded, if there is one.
    public var query: String?
    /// The header fields in their order and spelling.
    public var headers: [LoopbackHeader]
    /// The decoded parts of the path that the route's pattern names.
    public var parameters: [String: String] = [:]
    /// The body. Empty when the route digests or ignores it; shortened in a record, see ``LoopbackLimits``.
    public var body = Data()
    /// The number of body bytes that came in.
    public var bodyLength = 0
    /// The ``LoopbackDigest`` of the body, when the route asks for it.
    public var bodyDigest: UInt64?
    /// The number of the connection, counted from 1: the same number means that it was reused.
    public var connection: Int

    /// The first value of the header of this name, in any spelling.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// The decoded items of the query, in their order.
    public var queryItems: [(name: String, value: String)] {
        guard let query else { return [] }
        return query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decode(parts.first ?? ""), Self.decode(parts.dropFirst().first ?? ""))
        }
    }

    /// The first value of the query item of this name, decoded.
    public func queryItem(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The parameter of this name as a number.
    public func number(_ parameter: String) -> Int? {
        parameters[parameter].flatMap { Int($0) }
    }

    /// The cookies of the request, in their order.
    public var cookies: [(name: String, value: String)] {
        headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.map { cookie in
            let parts = cookie.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let trimmed = parts.map { $0.trimmingCharacters(in: .whitespaces) }
            return (trimmed.first ?? "", trimmed.dropFirst().first ?? "")
        }
    }

    static func decode(_ text: Substring) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
