import Foundation

/// A streamed body has a line or an event that is longer than the client holds in memory.
public enum StreamLimitError: LocalizableError, Equatable {
    /// A line has more bytes than `limit`, its end not counted.
    case lineTooLong(limit: Int)

    /// The data of an event has more bytes than `limit`.
    case eventTooLong(limit: Int)

    /// The key of the case, as "StreamLimitError.lineTooLong": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .lineTooLong: "StreamLimitError.lineTooLong"
        case .eventTooLong: "StreamLimitError.eventTooLong"
        }
    }

    /// What happened, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .lineTooLong(let limit):
            """
            The server sent a line of more than \(limit, as: "limit") bytes. Check that the URL is that of a stream \
            of lines or events; if such lines are expected, raise the limit.
            """
        case .eventTooLong(let limit):
            """
            The server sent an event with more than \(limit, as: "limit") bytes of data. Check that the URL is that \
            of a stream of events; if such events are expected, raise the limit.
            """
        }
    }
}
