import Foundation

/// The readable body of a stored response.
enum StoredContent {
    case empty
    case data(Data)
    case file(StoredFile, FileHandle)

    init?(_ stored: StoredResponse) {
        switch stored.body {
        case .data(let data): self = .data(data)
        case .file(let file):
            guard let handle = file.open() else { return nil }
            self = .file(file, handle)
        }
    }

    /// Closes the file, if there is one: nobody will read it.
    func close() {
        if case .file(_, let handle) = self { try? handle.close() }
    }
}
