import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A download to a folder, whose file gets its name once it is complete.
struct NamedDownload: Sendable {
    let folder: URL
    let existing: ExistingFile
    let name: @Sendable (TransferHead, String) throws -> String

    /// The complete file until it has its name. Nothing sweeps a name of this kind, as the file isn't locked.
    let unnamed: URL

    init(
        to folder: URL, existing: ExistingFile, name: @escaping @Sendable (TransferHead, String) throws -> String
    ) {
        self.folder = folder
        self.existing = existing
        self.name = name
        unnamed = folder.appending(path: Leftovers.name("download"), directoryHint: .notDirectory)
    }

    /// Gives the file its name, unless the task is cancelled before; a response without a file stays as it is.
    func finish(_ response: Response<URL>) async throws -> Response<URL> {
        guard response.head.bringsFile(to: response.urlRequest) else { return response }
        let wanted = try destination(of: response)
        let placeholder = existing == .replace ? nil : try ReservedName.placeholder(for: wanted, in: folder, existing)
        // It does nothing once the file is in its place.
        defer { placeholder?.discard() }
        let destination = placeholder?.url ?? wanted
        let part = try PartialFile(for: destination, isResumable: false), file: WritableFile
        do throws(FileTransferError) {
            file = try WritableFile(unnamed, .existing)
        } catch {
            throw FileTransferError(.cannotMove, file: destination, underlyingError: error.underlyingError)
        }
        do {
            try part.restrict(file)
            try await part.move(file, replacing: placeholder)
        } catch {
            file.discard()
            throw error
        }
        return Response(response: response, data: destination)
    }

    private func destination(of response: Response<URL>) throws -> URL {
        let name = try name(response.head, response.suggestedFileName)
        let destination = folder.appending(path: name, directoryHint: .notDirectory)
        guard !["", ".", ".."].contains(name), !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 }) else {
            throw FileTransferError(.cannotCreate, file: destination, underlyingError: POSIXError(.EINVAL))
        }
        return destination
    }

    /// Removes a file that has got no name.
    func removeUnnamed() async {
        await FileSystem.waiting {
            // Usually there is none any more.
            try? FileManager.default.removeItem(at: unnamed)
        }
    }
}
