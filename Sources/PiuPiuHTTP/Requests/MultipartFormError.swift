public import Foundation

/// A multipart form that can't be sent as it is.
///
/// A file that can't be read is a ``TransferError``.
public enum MultipartFormError: LocalizableError, Hashable {
    /// The boundary has characters that RFC 2046 doesn't allow, or is too long, or empty.
    case invalidBoundary(String)
    /// The chosen boundary occurs in the text or the data of this name.
    case boundaryInContent(name: String)
    /// The Content-Type of the part of this name has a control character.
    case invalidContentType(String, name: String)
    /// The file has become longer or shorter since its length was announced.
    case fileChanged(URL)

    /// The key of the case, as "MultipartFormError.invalidBoundary": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .invalidBoundary: "MultipartFormError.invalidBoundary"
        case .boundaryInContent: "MultipartFormError.boundaryInContent"
        case .invalidContentType: "MultipartFormError.invalidContentType"
        case .fileChanged: "MultipartFormError.fileChanged"
        }
    }

    /// The fault, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .invalidBoundary(let boundary):
            """
            The boundary \(boundary.quotedForErrors, as: "boundary") of the multipart form is not allowed. Use 1 to 70 \
            letters, digits and hyphens, or let the form choose one.
            """
        case .boundaryInContent(let name):
            """
            The part \(name.quotedForErrors, as: "name") of the multipart form contains the form's boundary. Let the \
            form choose the boundary.
            """
        case .invalidContentType(let contentType, let name):
            """
            The Content-Type \(contentType.quotedForErrors, as: "contentType") of the part \
            \(name.quotedForErrors, as: "name") of the multipart form has a control character. Write it as in \
            text/plain.
            """
        case .fileChanged(let file):
            """
            The file \(file.textForErrors, as: "file") of the multipart form changed its length while it was sent. \
            Send a copy of the file that no other code changes.
            """
        }
    }
}
