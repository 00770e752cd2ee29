import Foundation

extension LoopbackReply {
    /// The same reply after a pause. It ends early if the client leaves.
    public func delayed(seconds: Double) -> LoopbackReply {
        LoopbackReply(steps: [.pause(seconds: seconds)] + steps)
    }

    /// The same reply once the test opens the gate.
    public func gated(by gate: LoopbackGate) -> LoopbackReply {
        LoopbackReply(steps: [.gate(gate)] + steps)
    }

    /// The same reply after an interim response, such as 100 or 103.
    public func preceded(byInterim status: Int, headers: [LoopbackHeader] = []) -> LoopbackReply {
        LoopbackReply(steps: [.raw(Self.headBytes(status: status, headers: headers))] + steps)
    }

    /// The same reply, after which the connection closes without a `Connection: close` before.
    public func closing() -> LoopbackReply {
        LoopbackReply(steps: steps + [.close])
    }

    /// A status line, header fields and the empty line.
    static func headBytes(status: Int, headers: [LoopbackHeader]) -> Data {
        var text = "HTTP/1.1 \(status) \(reason(of: status))\r\n"
        for header in headers {
            text += header.name
            text += ": "
            text += header.value
            text += "\r\n"
        }
        text += "\r\n"
        return Data(text.utf8)
    }

    /// The usual words for a status.
    static func reason(of status: Int) -> String {
        reasons[status] ?? "Status"
    }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type", 418: "I'm a teapot",
        422: "Unprocessable Content", 425: "Too Early", 429: "Too Many Requests",
        431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout",
    ]
}
