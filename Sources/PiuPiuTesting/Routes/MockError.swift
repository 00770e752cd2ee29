public import Foundation
public import PiuPiu

/// A mock has no answer to a request.
public enum MockError: LocalizableError, Equatable {
    /// No route of the ``MockRouteTable`` matches this method and path; `routes` lists all of them.
    case noRoute(method: String, url: URL, routes: [String])
    /// The ``MockScript`` of the route has given all its answers, and doesn't repeat the last.
    case usedUp(method: String, url: URL, answerCount: Int)
    /// An earlier request has taken the chunks of the answer, which come once: see
    /// ``MockAnswer/chunks(_:status:headers:)``.
    case chunksUsedUp(method: String, url: URL)

    /// The URL that was asked for.
    public var url: URL {
        switch self {
        case .noRoute(_, let url, _), .usedUp(_, let url, _), .chunksUsedUp(_, let url): url
        }
    }

    /// The key of the case, as "MockError.noRoute": see `LocalizableError`.
    public var errorKey: String {
        switch self {
        case .noRoute: "MockError.noRoute"
        case .usedUp: "MockError.usedUp"
        case .chunksUsedUp: "MockError.chunksUsedUp"
        }
    }

    /// Which request has no answer, why, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .noRoute(let method, let url, let routes):
            """
            The mock has no route for \(ExchangeName(method: method, url: url), as: "request"). \
            \(Self.list(routes), as: "routes") Add one for this method and path.
            """
        case .usedUp(let method, let url, 0):
            """
            The mock's script for \(ExchangeName(method: method, url: url), as: "request") has no answers. Add one.
            """
        case .usedUp(let method, let url, let count):
            """
            The mock's script for \(ExchangeName(method: method, url: url), as: "request") has no answer left after \
            \(count, as: "count"). Add one, or let the last repeat (afterLast: .repeatLast).
            """
        case .chunksUsedUp(let method, let url):
            """
            The mock has no chunks left for \(ExchangeName(method: method, url: url), as: "request"), as an earlier \
            request has taken them. They come once: pass TransferChunks(makeChunks:), or add an answer for each request.
            """
        }
    }

    private static func list(_ routes: [String]) -> String {
        if routes.isEmpty { return ErrorText("It has no routes at all.").localized("MockError.noRoute.none") }
        let list = routes.joined(separator: "; ")
        guard list.contains("%2F") else {
            return ErrorText("Its routes are: \(list, as: "routes").").localized("MockError.noRoute.routes")
        }
        let text: ErrorText = """
            Its routes are: \(list, as: "routes") (%2F is a slash inside a segment: each literal is one segment).
            """
        return text.localized("MockError.noRoute.segments")
    }
}
