import Foundation

/// The readable body of a stored response.
enum StoredContent {
    case empty
    case data(Data)
    case file(StoredFile, FileHandle)

    /// `nil` if its file is gone or damaged. An error says only that the file can't be opened now.
    ///
    /// - Parameter isVerifiedAnew: whether a file is verified even if nobody seems to have touched it.
    init?(_ stored: StoredResponse, isVerifiedAnew: Bool) throws(FileTransferError) {
        switch stored.body {
        case .data(let data): self = .data(data)
        case .file(let file):
            guard let handle = try file.open(isVerifiedAnew: isVerifiedAnew) else { return nil }
            self = .file(file, handle)
        }
    }

    /// Closes the file, if there is one: it won't be read.
    func close() {
        if case .file(_, let handle) = self { try? handle.close() }
    }
}
