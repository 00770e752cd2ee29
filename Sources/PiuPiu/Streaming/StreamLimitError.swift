public import Foundation

/// A streamed body has a line or an event that is longer than the client is ready to hold in memory.
public enum StreamLimitError: LocalizedError, Sendable, Equatable {
    /// A line has more bytes than `limit`, its end not counted.
    case lineTooLong(limit: Int)

    /// The data of an event has more bytes than `limit`.
    case eventTooLong(limit: Int)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .lineTooLong(let limit):
            """
            The server sent a line of more than \(limit) bytes. Check that the URL is that of a stream of lines or \
            events; if such lines are expected, raise the limit.
            """
        case .eventTooLong(let limit):
            """
            The server sent an event with more than \(limit) bytes of data. Check that the URL is that of a stream of \
            events; if such events are expected, raise the limit.
            """
        }
    }
}
