public import Foundation

/// A ``ReplayingDispatcher`` has no answer to a request.
public enum ReplayError: LocalizedError, Sendable, Equatable {
    /// Nothing was recorded for this request. The nearest are those recorded that are most like it, each with what is
    /// different in it; empty if there are no recordings at all.
    case noRecording(method: String, url: URL, nearest: [String])
    /// There are so many recordings for this request, and all were served.
    case usedUp(method: String, url: URL, recordingCount: Int)
    /// The body of the response was too large when it was recorded.
    case bodyNotRecorded(method: String, url: URL)

    /// The URL that was asked for.
    public var url: URL {
        switch self {
        case .noRecording(_, let url, _), .usedUp(_, let url, _), .bodyNotRecorded(_, let url): url
        }
    }

    /// Which request has no answer, why, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .noRecording(let method, let url, let nearest):
            """
            Nothing was recorded for \(method.cutForErrors) \(url.textForErrors). \(Self.list(nearest)) Record it, or \
            correct the request.
            """
        case .usedUp(let method, let url, let count):
            """
            All \(count) recordings for \(method.cutForErrors) \(url.textForErrors) were served. Record more, or let \
            the last repeat (afterLast: .repeatLast).
            """
        case .bodyNotRecorded(let method, let url):
            """
            The body of the response to \(method.cutForErrors) \(url.textForErrors) was not recorded. Record it again \
            with a higher bodyLimit.
            """
        }
    }

    private static func list(_ nearest: [String]) -> String {
        nearest.isEmpty ? "There are no recordings at all." : "The nearest are: \(nearest.joined(separator: "; "))."
    }
}
