import Foundation

extension LoopbackRoutes {
    /// Redirects of every kind; those that end here end with what `/echo` answers.
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
        LoopbackRoute("*", "/redirect-loop") { _ in .redirect(to: "/redirect-loop") },
        LoopbackRoute("*", "/redirect-without-location") { _ in .redirect(to: nil) },
    ])

    static let badRequest = LoopbackReply.json("{\"error\":\"bad request\"}", status: 400)
}
