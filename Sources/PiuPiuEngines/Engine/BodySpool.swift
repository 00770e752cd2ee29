import Foundation

/// The chunks of a request's body, collected for an engine that can't send them as they come: a few in memory, more of
/// them in a temporary file.
///
/// It belongs to one exchange. All of its hops send what the first one has collected.
package final class BodySpool: Sendable {
    private struct State {
        var body: TransferBody?
        var file: WritableFile?
        var isOver = false
    }

    /// How many bytes are collected in memory.
    private static let memoryLimit = 8 << 20

    private let state = Locked(State())

    package init() {}

    /// Whether the chunks are collected.
    var isFilled: Bool { state.withLock { $0.body != nil } }

    /// The collected body.
    ///
    /// - Throws: the error of the chunks, ``TransferError/Kind/unreadableBody`` if they haven't their announced length,
    ///   a ``FileTransferError`` if the temporary file can't be written, and `CancellationError` if the exchange is
    ///   over.
    func body(of chunks: TransferChunks) async throws -> TransferBody {
        if let body = state.withLock({ $0.body }) { return body }
        let (body, file) = try await Self.collect(chunks)
        let isKept = state.withLock { state in
            guard !state.isOver else { return false }
            (state.body, state.file) = (body, file)
            return true
        }
        guard isKept else {
            file?.discard()
            throw CancellationError()
        }
        return body
    }

    private static func collect(_ chunks: TransferChunks) async throws -> (TransferBody, WritableFile?) {
        var memory = Data()
        var file: WritableFile?
        do {
            for try await chunk in chunks.measured {
                try Task.checkCancellation()
                memory.append(chunk)
                guard memory.count > memoryLimit else { continue }
                let target = try file ?? WritableFile(temporary: "upload")
                file = target
                try target.write(memory)
                memory.removeAll(keepingCapacity: true)
            }
            guard let file else { return (memory.isEmpty ? .none : .data(memory), nil) }
            try file.write(memory)
            // It stays open, and so locked, until the exchange is over.
            return (.file(file.url), file)
        } catch {
            file?.discard()
            throw error
        }
    }

    /// The exchange is over: removes the temporary file, if there is one.
    func remove() {
        let file = state.withLock { state in
            state.isOver = true
            return state.file.take()
        }
        file?.discard()
    }
}
