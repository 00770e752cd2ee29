import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Writes a response to a file, if it is a successful one.
///
/// It is written where the engine delivers its events, chunk by chunk, so that memory stays constant.
struct DownloadSink: TransferSink {
    /// The response, with the file if it has brought one.
    typealias Output = (head: TransferHead, request: URLRequest, file: WritableFile?)

    /// What there was does not fit what the server has: the file has to be loaded from its beginning.
    struct StaleLeftover: Error {}

    private struct State {
        var head: (head: TransferHead, request: URLRequest)?
        var file: WritableFile?
        var bytesBefore: Int64 = 0
        var isOver = false
    }

    private let part: PartialFile
    private let url: URL?
    private let resumption: DownloadResumption?
    private let state = Locked(State())

    /// - Parameters:
    ///   - url: what is asked for, before redirects: that is what a later download can be compared with.
    ///   - resumption: what the server was asked to go on with.
    init(_ part: PartialFile, of url: URL?, resumption: DownloadResumption?) {
        self.part = part
        self.url = url
        self.resumption = resumption
    }

    /// The file that is being written, if there is one.
    var file: WritableFile? { state.withLock { $0.file } }

    var bytesBefore: Int64 { state.withLock { $0.bytesBefore } }

    func receive(_ event: TransferEvent) -> Result<Output, any Error>? {
        let outcome = outcome(of: event)
        if outcome != nil { state.withLock { $0.isOver = true } }
        return outcome
    }

    private func outcome(of event: TransferEvent) -> Result<Output, any Error>? {
        let (file, head, isOver) = state.withLock { ($0.file, $0.head, $0.isOver) }
        guard !isOver else { return nil }
        do {
            switch event {
            case .sent: return nil
            case .head(let head, let request):
                try begin(head, request)
                return nil
            case .body(let chunk):
                try write(chunk, to: file)
                return nil
            case .measured(let metrics):
                state.withLock { $0.head?.head.metrics = metrics }
                return nil
            case .finished:
                guard let head else { throw TransferError(.badResponse) }
                return .success((head.head, head.request, file))
            case .failed(let error): throw error
            }
        } catch {
            return .failure(error)
        }
    }

    /// What goes to no file tells why there is none: its beginning is kept.
    private func write(_ chunk: Data, to file: WritableFile?) throws {
        guard let file else { return state.withLock { $0.head?.head.unsavedBody?.append(chunk) } }
        do {
            try file.write(chunk)
        } catch {
            throw FileTransferError(error.kind, file: part.destination, underlyingError: error.underlyingError)
        }
    }

    private func begin(_ head: TransferHead, _ request: URLRequest) throws {
        let response = head.urlResponse
        let answer = resumption?.answer(response) ?? .start
        guard answer != .stale else { throw StaleLeftover() }
        let length = answer == .goOn ? resumption?.length ?? 0 : 0
        // A second head starts the response over.
        if !part.isResumable { self.file?.discard() }
        var file: WritableFile?
        if response.bringsFile {
            file = try part.open(keeping: length)
            if answer == .start { part.setRecord(PartialFile.Record(of: response, to: url)) }
        }
        var kept = head
        if file == nil { kept.unsavedBody = BodyExcerpt() }
        state.withLock { [file, kept] state in
            state.head = (kept, request)
            state.file = file
            state.bytesBefore = length
        }
    }
}

extension URLResponse {
    /// Whether its body is what was asked for: not that of an HTTP error or a redirect, and not the absence of one.
    var bringsFile: Bool {
        guard let status = (self as? HTTPURLResponse)?.statusCode else { return true }
        return (200...299).contains(status) && status != 204 && status != 205
    }
}
