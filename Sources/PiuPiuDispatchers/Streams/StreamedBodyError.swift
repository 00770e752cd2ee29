import Foundation

/// A ``StreamedBody`` can't be read in this way.
public enum StreamedBodyError: LocalizableError, Equatable {
    /// The body has been iterated before, as itself or as its bytes, lines or events. It arrives only once.
    case alreadyRead

    /// The key of the case, "StreamedBodyError.alreadyRead": see ``LocalizableError``.
    public var errorKey: String { "StreamedBodyError.alreadyRead" }

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        localizedText(
            """
            The body of the stream has been read before, and arrives only once. Iterate it in one place, and pass on \
            what it has delivered.
            """)
    }
}
