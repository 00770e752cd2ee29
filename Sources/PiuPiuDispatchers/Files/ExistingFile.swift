/// What a download to a folder does if a file already has its name.
///
/// See ``DownloadDispatcher/downloadFuture(from:toFolder:existing:named:)``.
public enum ExistingFile: Sendable, Hashable, CaseIterable {
    /// Replaces that file, atomically.
    case replace
    /// Fails with a ``FileTransferError`` of the kind ``FileTransferError/Kind/cannotCreate``, and leaves that file as it
    /// is.
    case fail
    /// Adds the first number to its own name that makes it free, from 2 on: "report 2.pdf".
    case number
}
