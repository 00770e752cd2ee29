public import Foundation

/// A multipart form that can't be sent as it is.
///
/// A file that can't be read is a ``TransferError``.
public enum MultipartFormError: LocalizedError, Sendable, Hashable {
    /// The boundary has characters that RFC 2046 doesn't allow, or is too long, or empty.
    case invalidBoundary(String)
    /// The boundary that was chosen occurs in the text or the data of this name.
    case boundaryInContent(name: String)
    /// The Content-Type of the part of this name has a control character.
    case invalidContentType(String, name: String)
    /// The file has become longer or shorter since its length was announced.
    case fileChanged(URL)

    /// A key that names the case, for a table of translated texts or a log: "InvalidBoundary", for example.
    public var errorKey: String {
        switch self {
        case .invalidBoundary: "InvalidBoundary"
        case .boundaryInContent: "BoundaryInContent"
        case .invalidContentType: "InvalidContentType"
        case .fileChanged: "FileChanged"
        }
    }

    /// What is at fault, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .invalidBoundary(let boundary):
            """
            The boundary \(boundary.quotedForErrors) of the multipart form is not allowed. Use 1 to 70 letters, digits \
            and hyphens, or let the form choose one.
            """
        case .boundaryInContent(let name):
            """
            The part \(name.quotedForErrors) of the multipart form contains the form's boundary. Let the form choose \
            the boundary.
            """
        case .invalidContentType(let contentType, let name):
            """
            The Content-Type \(contentType.quotedForErrors) of the part \(name.quotedForErrors) of the multipart form \
            has a control character. Write it as in text/plain.
            """
        case .fileChanged(let file):
            """
            The file \(file.textForErrors) of the multipart form changed its length while it was sent. Send a copy that \
            nobody writes to.
            """
        }
    }
}
