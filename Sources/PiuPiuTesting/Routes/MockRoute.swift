import Foundation
public import PiuPiu

/// One line of a ``MockRouteTable``: the requests it matches, and their answers.
///
/// ```swift
/// MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, values in
///     try Response.makeMockJSONResponse(with: request, encodable: post(values[1].integerValue), statusCode: .ok)
/// }
/// MockRoute(.post, ["posts"], .status(.created))
/// MockRoute(.get, ["news"], MockScript([.status(.serviceUnavailable), .json(news)]))
/// MockRoute(.failure(TransferError(.cannotConnect)))        // all the others
/// ```
///
/// A path pattern matches as in `URL.pathValues(matching:)`, with one component for each segment: `["api/v1"]` is a
/// single segment, and matches `/api%2Fv1`. Host, query and headers make no difference.
public struct MockRoute: Sendable, CustomStringConvertible {
    private let method: HTTPMethod?
    private let pattern: [PathComponent]?
    let script: MockScript

    /// A route to a handler, which gets the request and one value for each component of the pattern.
    ///
    /// - Parameters:
    ///   - method: the method of the request; `nil` for any.
    ///   - pattern: the pattern of the path.
    ///   - handler: makes the response, once for each request: off the main actor in a future; a direct call of
    ///     `answer(to:)` runs it where the caller runs.
    public init(_ method: HTTPMethod?, _ pattern: [PathComponent], handler: @escaping MockAnswer.Handler) {
        self.init(method, pattern, MockAnswer(handler: handler))
    }

    /// A route whose requests all get the same answer.
    ///
    /// - Parameters:
    ///   - method: the method of the request; `nil` for any.
    ///   - pattern: the pattern of the path.
    ///   - answer: the answer.
    public init(_ method: HTTPMethod?, _ pattern: [PathComponent], _ answer: MockAnswer) {
        self.init(method, pattern, MockScript([answer]))
    }

    /// A route whose requests get one answer after the other.
    ///
    /// - Parameters:
    ///   - method: the method of the request; `nil` for any.
    ///   - pattern: the pattern of the path.
    ///   - script: the answers.
    public init(_ method: HTTPMethod?, _ pattern: [PathComponent], _ script: MockScript) {
        self.method = method
        self.pattern = pattern
        self.script = script
    }

    /// A route for every request, for the end of a table. Its handler gets no path values.
    public init(_ answer: MockAnswer) {
        self.init(MockScript([answer]))
    }

    /// A route for every request, for the end of a table.
    public init(_ script: MockScript) {
        method = nil
        pattern = nil
        self.script = script
    }

    /// The method and the pattern: `GET /posts/:integer`. A slash inside a segment is `%2F`.
    public var description: String {
        let path = pattern.map { "/" + $0.map(Self.text).joined(separator: "/") } ?? "any path"
        return "\(method?.rawValue ?? "any method") \(path)"
    }

    /// A component as it stands in the path of a URL.
    private static func text(of component: PathComponent) -> String {
        guard case .constant(let text) = component else { return component.description }
        return PercentEncoding.encoded(text.utf8) { !"/?#%".utf8.contains($0) }
    }

    /// The values of the pattern, if the route matches this method and path.
    func values(of method: String, _ url: URL) -> [PathValue]? {
        if let expected = self.method, expected.rawValue != method { return nil }
        guard let pattern else { return [] }
        return url.pathValues(matching: pattern)
    }
}
