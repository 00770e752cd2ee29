import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The body of a request in a form that `URLSession` sends reliably.
enum SessionBody {
    case none
    case data(Data)
    case file(URL)

    /// `URLSession` on Linux sends a file at a fifth of the speed of memory.
    private static let largestFileInMemory = 8 << 20

    /// Prepares a body for sending.
    ///
    /// - Throws: ``TransferError`` for an unreadable file: `URLSession` on Linux would hang until the timeout, or send
    ///   nothing.
    init(_ body: TransferBody) throws(TransferError) {
        switch body {
        case .none: self = .none
        case .data(let data): self = data.isEmpty ? .none : .data(data)
        case .file(let file): self = try Self.reading(file)
        case .chunks: throw TransferError(.unreadableBody)
        }
    }

    private static func reading(_ file: URL) throws(TransferError) -> SessionBody {
        do {
            let (handle, length) = try RegularFile.open(file)
            defer { try? handle.close() }
            guard length <= largestFileInMemory else { return .file(file) }
            let data = try handle.readToEnd() ?? Data()
            return data.isEmpty ? .none : .data(data)
        } catch let error as TransferError {
            throw error
        } catch {
            throw TransferError(.unreadableBody, url: file, underlyingError: error)
        }
    }

    /// A task that sends a request with this body. Only an upload task reports how much was sent.
    func makeTask(for request: URLRequest, in session: URLSession) -> URLSessionTask {
        switch self {
        case .none: session.dataTask(with: request)
        case .data(let data): session.uploadTask(with: request, from: data)
        case .file(let file): session.uploadTask(with: request, fromFile: file)
        }
    }

    /// Whether there is nothing to send.
    var isEmpty: Bool {
        if case .none = self { true } else { false }
    }
}
