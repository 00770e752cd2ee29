import Foundation

/// The readable body of a stored response.
enum StoredContent {
    case empty
    case data(Data)
    case file(StoredFile, FileHandle)

    /// `nil` if its file is gone or damaged. An error says only that the file can't be opened now.
    ///
    /// - Parameter isWhole: whether a file is read now, and damage noticed before anything is delivered.
    init?(_ stored: StoredResponse, isWhole: Bool) throws(FileTransferError) {
        switch stored.body {
        case .data(let data): self = .data(data)
        case .file(let file) where isWhole:
            guard let data = try file.body() else { return nil }
            self = .data(data)
        case .file(let file):
            guard let handle = try file.open() else { return nil }
            self = .file(file, handle)
        }
    }

    /// Closes the file, if there is one: it won't be read.
    func close() {
        if case .file(_, let handle) = self { try? handle.close() }
    }
}
