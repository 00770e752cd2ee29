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

    fileprivate struct State {
        var head: (head: TransferHead, request: URLRequest)?
        var file: WritableFile?
        /// How many bytes of the file were there before, how many have come, and how many were announced.
        var bytesBefore: Int64 = 0
        var bytesReceived: Int64 = 0
        var expected: Int64?
        /// What is needed to go on another time, and the checksum of all that is there.
        var record: DownloadRecord?
        var checksum = FileChecksum()
        var isOver = false
    }

    /// After so many bytes the record is written again: what came later is lost with the process.
    private static let recordInterval: Int64 = 8 << 20

    private let part: PartialFile
    private let url: URL?
    private let resumption: DownloadResumption?
    private let state: Locked<State>

    /// - Parameters:
    ///   - url: what is asked for, before redirects: that is what a later download can be compared with.
    ///   - resumption: what the server was asked to go on with.
    init(_ part: PartialFile, of url: URL?, resumption: DownloadResumption?) {
        self.part = part
        self.url = url
        self.resumption = resumption
        state = Locked(State(record: resumption?.record))
    }

    /// Gives up what there is of the file; what can be resumed stays for another time.
    func leave() {
        let state = state.withLock { $0 }
        if state.bytesReceived > 0 { part.setRecord(state.currentRecord) }
        part.leave(state.file, isRecorded: state.record != nil)
    }

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
                try checkLength(of: head.request)
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
        try state.withLock { state in
            state.bytesReceived += Int64(chunk.count)
            guard let expected = state.expected, state.bytesReceived > expected else { return }
            throw Self.unfit(.contradictory, state.head?.request.url)
        }
        do {
            try file.write(chunk)
        } catch {
            throw FileTransferError(error.kind, file: part.destination, underlyingError: error.underlyingError)
        }
        if part.isResumable { record(chunk) }
    }

    /// Counts what has been written, so that another download can go on after it.
    private func record(_ chunk: Data) {
        var checksum = state.withLock { $0.checksum }
        checksum.append(chunk)
        let due = state.withLock { state in
            state.checksum = checksum
            guard let record = state.currentRecord, let old = state.record else { return nil as DownloadRecord? }
            guard record.length - old.length >= Self.recordInterval else { return nil }
            state.record = record
            return record
        }
        if let due { part.setRecord(due) }
    }

    private func checkLength(of request: URLRequest) throws {
        let (received, expected) = state.withLock { ($0.bytesReceived, $0.expected) }
        guard let expected, received < expected else { return }
        throw TransferError(.truncated, url: request.url)
    }

    private static func unfit(_ error: FileAnswerError, _ url: URL?) -> TransferError {
        TransferError(.badResponse, url: url, underlyingError: error)
    }

    private func begin(_ head: TransferHead, _ request: URLRequest) throws {
        // A second head starts the response over.
        if !part.isResumable { state.withLock { $0.file }?.discard() }
        switch FileAnswer(head, to: request, resumption: resumption) {
        case .stale: throw StaleLeftover()
        case .unfit(let error): throw Self.unfit(error, request.url)
        case .noFile:
            var kept = head
            kept.unsavedBody = BodyExcerpt()
            state.withLock { [kept] in $0 = State(head: (kept, request), record: $0.record) }
        case .file(let offset, let length):
            // An old record stays until there is a new one: its checksum doesn't fit what is written over the old bytes.
            let record = offset > 0 ? resumption?.record : DownloadRecord(of: head, to: url)
            let file = try part.open(keeping: offset)
            state.withLock { state in
                state = State(
                    head: (head, request), file: file, bytesBefore: offset,
                    expected: request.httpMethod?.uppercased() == "HEAD" ? nil : length, record: record,
                    checksum: offset > 0 ? resumption?.checksum ?? FileChecksum() : FileChecksum())
            }
        }
    }
}

extension DownloadSink.State {
    /// The record of what there is now.
    fileprivate var currentRecord: DownloadRecord? {
        var record = record
        record?.length = bytesBefore + bytesReceived
        record?.checksum = checksum.value
        return record
    }
}
