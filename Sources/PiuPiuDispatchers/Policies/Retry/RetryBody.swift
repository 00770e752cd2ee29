import Foundation

/// The body of a request, and whether it can be sent again (rule BODY).
struct RetryBody: Sendable {
    /// The body to send; it records what becomes of its chunks.
    let body: TransferBody

    /// The files that it is read from, with their initial versions.
    private let files: [(url: URL, version: FileVersion?)]

    private struct Chunks {
        let comeOnce: Bool
        /// Whether the first one was asked for.
        var arePulled: Bool
        var haveFailed = false
    }

    /// What has become of the chunks; `nil` if there are none.
    private let chunks: Locked<Chunks>?

    /// The body of an exchange that is about to begin.
    init(_ body: TransferBody, of kind: ExchangeKind) {
        switch body {
        case .none, .data:
            (self.body, files, chunks) = (body, [], nil)
        case .file(let file):
            (self.body, files, chunks) = (body, [(file, FileVersion(of: file))], nil)
        case .chunks(let sent):
            files = (sent.rereadFiles ?? []).map { ($0, FileVersion(of: $0)) }
            // The body stream of a request that isn't an upload is read where this can't observe it.
            let chunks = Locked(Chunks(comeOnce: sent.rereadFiles == nil, arePulled: kind != .upload))
            self.chunks = chunks
            let watched = sent.watched {
                chunks.withLock { $0.arePulled = true }
            } onFailure: {
                chunks.withLock { $0.haveFailed = true }
            }
            self.body = .chunks(watched)
        }
    }

    /// Whether it is read from files, which may change during the wait for a retry.
    var hasFiles: Bool { !files.isEmpty }

    /// Whether its chunks have thrown an error in this attempt, which says nothing about the server of the request.
    var hasFailed: Bool { chunks?.withLock { $0.haveFailed } == true }

    /// Another attempt begins.
    func beginAgain() { chunks?.withLock { $0.haveFailed = false } }

    /// Whether it can be sent again: nothing of it was consumed, and its files are unchanged.
    var canBeSentAgain: Bool {
        if let chunks, chunks.withLock({ $0.comeOnce && $0.arePulled }) { return false }
        return files.allSatisfy { file in file.version != nil && FileVersion(of: file.url) == file.version }
    }
}
