import Foundation

extension LoopbackRoutes {
    /// Redirects of every kind; those that end here end with the answer of `/echo`.
    public static let redirects = LoopbackRoutes([
        LoopbackRoute("*", "/redirect/{n}") { request in
            guard let count = request.number("n"), count >= 0 else { return badRequest }
            guard count > 0 else { return echo(request) }
            let status = request.queryItem("status").flatMap { Int($0) } ?? 302
            let query = request.query.map { "?\($0)" } ?? ""
            return .redirect(status, to: "/redirect/\(count - 1)\(query)")
        },
        LoopbackRoute("*", "/redirect-to") { request in
            .redirect(
                request.queryItem("status").flatMap { Int($0) } ?? 302, to: request.queryItem("url") ?? "/echo")
        },
        LoopbackRoute("*", "/redirect-to-other-host") { request in
            let path = request.queryItem("path") ?? "/echo"
            return .redirect(
                request.queryItem("status").flatMap { Int($0) } ?? 302, to: "http://\(otherHost(of: request))\(path)")
        },
        LoopbackRoute("*", "/redirect-loop") { _ in .redirect(to: "/redirect-loop") },
        LoopbackRoute("*", "/redirect-without-location") { _ in .redirect(to: nil) },
    ])

    /// The other of this server's two names, with the port that the request names.
    private static func otherHost(of request: RecordedRequest) -> String {
        let parts = (request.header("Host") ?? "").split(separator: ":", maxSplits: 1)
        let name = parts.first == "localhost" ? "127.0.0.1" : "localhost"
        return ([name] + parts.dropFirst().map(String.init)).joined(separator: ":")
    }

    static let badRequest = LoopbackReply.json("{\"error\":\"bad request\"}", status: 400)
}
