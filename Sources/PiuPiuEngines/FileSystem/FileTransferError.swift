public import Foundation

/// The file of a download, or a temporary file of a transfer, can't be written.
///
/// ```swift
/// catch let error as FileTransferError where error.kind == .cannotWrite {
///     askForSpace(on: error.file)
/// }
/// ```
///
/// A file that can't be read, such as one for an upload, is a ``TransferError`` of the kind
/// ``TransferError/Kind/fileNotFound``.
public struct FileTransferError: LocalizableError {
    /// The kind of failure.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The destination is no `file:` URL.
        case notFileURL
        /// There is a folder at the destination.
        case isFolder
        /// The file, or a folder for it, can't be created, or its name is none.
        case cannotCreate
        /// The file can't be written: the disk is full, for example.
        case cannotWrite
        /// The whole file can't be moved to its destination.
        case cannotMove
    }

    /// The kind of failure.
    public let kind: Kind

    /// The file; for a download its destination.
    public let file: URL

    /// The error of the system, if there was one.
    public let underlyingError: (any Error)?

    /// Makes an error, for a mock that fails on purpose.
    public init(_ kind: Kind, file: URL, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.file = file
        self.underlyingError = underlyingError
    }

    /// The key of the kind, as "FileTransferError.cannotWrite": see ``LocalizableError``.
    public var errorKey: String { "FileTransferError.\(kind.rawValue)" }

    /// What failed, for which file.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        let name =
            file.isFileURL ? file.path(percentEncoded: false).escapingControlCharacters : file.textForErrors
        return switch kind {
        case .notFileURL: "\(name, as: "file") is not a file URL."
        case .isFolder: "There is a folder at \(name, as: "file"), where the file has to be written."
        case .cannotCreate: "The file \(name, as: "file") can't be created."
        case .cannotWrite: "The file \(name, as: "file") can't be written."
        case .cannotMove: "The finished file can't be moved to \(name, as: "file")."
        }
    }

    /// Why it failed, in the words of the underlying error.
    public var failureReason: String? { underlyingError?.localizedDescription }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        switch (underlyingError as? POSIXError)?.code {
        case .EMFILE, .ENFILE:
            ErrorText("Close files or connections, or raise the limit of open files of this process.")
                .localized("FileTransferError.tooManyOpenFiles.advice")
        case .EEXIST, .ELOOP:
            ErrorText(
                """
                Something else has the name, such as a file that isn't to be replaced, a FIFO, a link or a file of \
                another user. Remove it, or download to another place.
                """
            ).localized("FileTransferError.nameTaken.advice")
        case .EINVAL where kind == .cannotCreate:
            ErrorText(
                """
                Give the file another name: without a slash, without characters that its volume forbids, and neither \
                empty nor only dots.
                """
            ).localized("FileTransferError.invalidName.advice")
        default: localizedAdvice(advice)
        }
    }

    private var advice: ErrorText {
        switch kind {
        case .notFileURL: "Make the destination with URL(filePath:)."
        case .isFolder: "Name the file in the destination, not only its folder."
        case .cannotCreate:
            """
            Check that this process may write to the folder, and not only to the file: a download is written beside \
            its destination. In a sandbox download to an .itemReplacementDirectory of \
            FileManager.url(for:in:appropriateFor:create:), and put the file in its place with \
            FileManager.replaceItemAt(_:withItemAt:).
            """
        case .cannotMove: "Check that this process may write to the folder."
        case .cannotWrite: "Check the free space of the volume."
        }
    }
}
