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
            The file has come in the content coding \(coding.quotedForErrors, as: "coding"), although none was asked for. \
            Have the server send it as it is, or load it with a data future, which decodes it.
            """
        case .partial:
            "A part of the file has come, although all of it was asked for. Try again, past any cache."
        case .contradictory:
            """
            The length of the body contradicts the range or the length that the server has announced. Try again, past \
            any cache.
            """
        }
    }
}
