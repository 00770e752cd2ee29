import Foundation

/// The response to a download makes no safe file, so nothing of it is kept.
///
/// It is the ``TransferError/underlyingError`` of ``TransferError/Kind/badResponse``.
public enum FileAnswerError: LocalizableError, Equatable {
    /// The body has content codings, such as "gzip", although none was requested: it can't be checked for completeness.
    case coded(String)
    /// The server has sent a part of the file, although no part was requested.
    case partial
    /// The length of the body, its range and the length of the whole contradict each other, or the request.
    case contradictory

    /// The key of the case, as "FileAnswerError.coded": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .coded: "FileAnswerError.coded"
        case .partial: "FileAnswerError.partial"
        case .contradictory: "FileAnswerError.contradictory"
        }
    }

    /// What is wrong with the response, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .coded(let coding):
            """
            The server sent the file in the content coding \(coding.quotedForErrors, as: "coding"), although none was \
            requested. Configure the server to send it without one, or load all of it with a data future, which decodes \
            it.
            """
        case .partial:
            "The server sent a part of the file, although all of it was requested. Try again, and bypass any cache."
        case .contradictory:
            """
            The length of the body contradicts the range or the length that the server announced. Try again, and \
            bypass any cache.
            """
        }
    }
}
