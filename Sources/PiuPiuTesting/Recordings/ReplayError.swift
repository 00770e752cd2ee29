public import Foundation
public import PiuPiu

/// A ``ReplayingDispatcher`` has no answer to a request.
public enum ReplayError: LocalizableError, Equatable {
    /// Nothing was recorded for this request. `nearest` lists the most similar recorded requests and how they differ;
    /// it is empty if there are no recordings at all.
    case noRecording(method: String, url: URL, nearest: [String])
    /// All recordings that answer this request were served. If some have the same body, only those are counted.
    case usedUp(method: String, url: URL, recordingCount: Int)
    /// The body of the response was too large when it was recorded.
    case bodyNotRecorded(method: String, url: URL)

    /// The URL that was asked for.
    public var url: URL {
        switch self {
        case .noRecording(_, let url, _), .usedUp(_, let url, _), .bodyNotRecorded(_, let url): url
        }
    }

    /// The key of the case, as "ReplayError.noRecording": see `LocalizableError`.
    public var errorKey: String {
        switch self {
        case .noRecording: "ReplayError.noRecording"
        case .usedUp: "ReplayError.usedUp"
        case .bodyNotRecorded: "ReplayError.bodyNotRecorded"
        }
    }

    /// Which request has no answer, why, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .noRecording(let method, let url, let nearest):
            """
            Nothing was recorded for \(ExchangeName(method: method, url: url), as: "request"). \
            \(Self.list(nearest), as: "nearest") Record it, or correct the request.
            """
        case .usedUp(let method, let url, let count):
            """
            All \(count, as: "count") recordings that answer \
            \(ExchangeName(method: method, url: url), as: "request") were served; if some have the same body, only \
            those count. Record more, or let the last repeat (afterLast: .repeatLast).
            """
        case .bodyNotRecorded(let method, let url):
            """
            The body of the response to \(ExchangeName(method: method, url: url), as: "request") was not recorded. \
            Record it again with a higher bodyLimit, or a download with its file in place.
            """
        }
    }

    private static func list(_ nearest: [String]) -> String {
        nearest.isEmpty
            ? ErrorText("There are no recordings at all.").localized("ReplayError.noRecording.none")
            : ErrorText("The nearest are: \(nearest.joined(separator: "; "), as: "nearest").")
                .localized("ReplayError.noRecording.nearest")
    }
}
