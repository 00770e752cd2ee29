import Foundation

/// A response to cut, whose body is known at each byte of it.
struct CutResponse: Sendable {
    let name: String
    /// Parts of the response; those of the body are marked.
    private let parts: [(text: String, isBody: Bool)]

    static let all = [
        CutResponse(
            "a plain response",
            [("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Other: value\r\n\r\n", false), ("whole", true)]),
        CutResponse(
            "a chunked response",
            [
                ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", false),
                ("2\r\n", false), ("wh", true), ("\r\n3;x=y\r\n", false), ("ole", true),
                ("\r\n0\r\nX-Trailer: value\r\n\r\n", false),
            ]),
    ]

    private init(_ name: String, _ parts: [(text: String, isBody: Bool)]) {
        self.name = name
        self.parts = parts
    }

    /// All of it.
    var bytes: Data { Data(parts.map(\.text).joined().utf8) }

    /// The bytes up to the end of the head.
    var headCount: Int { parts.first?.text.utf8.count ?? 0 }

    /// What the first `count` bytes hold of the body.
    func body(in count: Int) -> Data {
        var body = Data(), rest = count
        for part in parts {
            if part.isBody { body += part.text.utf8.prefix(max(rest, 0)) }
            rest -= part.text.utf8.count
        }
        return body
    }
}
