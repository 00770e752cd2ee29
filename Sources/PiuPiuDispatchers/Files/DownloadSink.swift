package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Writes a successful response to a file.
///
/// It writes chunk by chunk, on the thread of the engine's events, so that memory stays constant.
package struct DownloadSink: TransferSink {
    /// The response, with the file if it has brought one.
    package typealias Output = (head: TransferHead, request: URLRequest, file: WritableFile?)

    /// The leftover doesn't match the server's file, which has to be loaded from its beginning.
    package struct StaleLeftover: ReplacementError {}

    fileprivate struct State {
        var head: (head: TransferHead, request: URLRequest)?
        var file: WritableFile?
        /// How many bytes of the file were there before, how many have arrived, and how many were announced.
        var bytesBefore: Int64 = 0
        var bytesReceived: Int64 = 0
        var expected: Int64?
        /// The record to resume later, and the checksum of all bytes so far.
        var record: DownloadRecord?
        var checksum = FileChecksum()
        var isOver = false
    }

    /// After this many bytes the record is written again. If the process ends, later bytes are lost.
    private static let recordInterval: Int64 = 8 << 20

    private let part: PartialFile
    private let url: URL?
    private let resumption: DownloadResumption?
    private let state: Locked<State>
    private let hasLeft = Locked(false)

    /// - Parameters:
    ///   - url: the URL of the caller's request, which a later download compares with its own.
    ///   - resumption: the leftover that the server was asked to continue.
    package init(_ part: PartialFile, of url: URL?, resumption: DownloadResumption?) {
        self.part = part
        self.url = url
        self.resumption = resumption
        state = Locked(State(record: resumption?.record))
    }

    /// Abandons the file; a resumable one stays for later. Again it does nothing: then another download may have it.
    package func leave() {
        // Under the lock, so that a second call waits for the end of the first one.
        hasLeft.withLock { hasLeft in
            guard !hasLeft else { return }
            hasLeft = true
            let state = self.state.withLock { $0 }
            if state.bytesReceived > 0 { part.setRecord(state.currentRecord) }
            part.leave(state.file, isRecorded: state.record != nil)
        }
    }

    package var bytesBefore: Int64 { state.withLock { $0.bytesBefore } }

    package func receive(_ event: TransferEvent) -> Result<Output, any Error>? {
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

    /// Writes a chunk. The body of a response without a file explains the error, so its beginning is kept.
    private func write(_ chunk: Data, to file: WritableFile?) throws {
        guard let file else { return state.withLock { $0.head?.head.unsavedBody?.append(chunk) } }
        try state.withLock { state in
            guard let expected = state.expected, state.bytesReceived + Int64(chunk.count) > expected else { return }
            // Nothing of it is kept.
            state.record = nil
            throw Self.unfit(.contradictory, state.head?.request.url)
        }
        do {
            try file.write(chunk)
        } catch {
            throw FileTransferError(error.kind, file: part.destination, underlyingError: error.underlyingError)
        }
        count(chunk)
    }

    /// Counts the written bytes, so that a later download can continue after them.
    private func count(_ chunk: Data) {
        var checksum = state.withLock { $0.checksum }
        if part.isResumable { checksum.append(chunk) }
        let due = state.withLock { state in
            state.bytesReceived += Int64(chunk.count)
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
        if !part.isResumable { state.withLock { $0.file.take() }?.discard() }
        switch FileAnswer(head, to: request, resumption: resumption) {
        case .stale: throw StaleLeftover()
        // A leftover that stays would get the same answer each time. The whole file may come in a better one.
        case .unfit where resumption != nil: throw StaleLeftover()
        case .unfit(let error): throw Self.unfit(error, request.url)
        case .noFile:
            var kept = head
            kept.unsavedBody = BodyExcerpt()
            state.withLock { [kept] in $0 = State(head: (kept, request), record: $0.record) }
        case .file(let offset, let length):
            // The old record stays on the disk until a new one replaces it. Its checksum doesn't match overwritten
            // bytes.
            let record = offset > 0 ? resumption?.record : DownloadRecord(of: head, to: url)
            let file = try part.open(keeping: offset)
            state.withLock { state in
                state = State(
                    head: (head, request), file: file, bytesBefore: offset, expected: length, record: record,
                    checksum: offset > 0 ? resumption?.checksum ?? FileChecksum() : FileChecksum())
            }
            // The last byte, which was asked for again, may not come.
            if let record, offset > 0, record.length > offset { part.setRecord(state.withLock { $0.currentRecord }) }
        }
    }
}

extension DownloadSink.State {
    /// The record of the bytes so far.
    fileprivate var currentRecord: DownloadRecord? {
        var record = record
        record?.length = bytesBefore + bytesReceived
        record?.checksum = checksum.value
        return record
    }
}
