import Foundation

/// The body of a request, and whether it can be sent again (rule BODY).
struct RetryBody: Sendable {
    /// The body to send; it records when its first chunk is asked for.
    let body: TransferBody

    /// The files that it is read from, with their initial versions.
    private let files: [(url: URL, version: FileVersion?)]

    /// Whether one-time chunks were asked for; `nil` if there are none.
    private let isPulled: Locked<Bool>?

    /// The body of an exchange that is about to begin.
    init(_ body: TransferBody, of kind: ExchangeKind) {
        switch body {
        case .none, .data:
            (self.body, files, isPulled) = (body, [], nil)
        case .file(let file):
            (self.body, files, isPulled) = (body, [(file, FileVersion(of: file))], nil)
        case .chunks(let chunks):
            files = (chunks.rereadFiles ?? []).map { ($0, FileVersion(of: $0)) }
            guard chunks.rereadFiles == nil else {
                (self.body, isPulled) = (body, nil)
                return
            }
            // The body stream of a request that isn't an upload is read where this can't observe it.
            let isPulled = Locked(kind != .upload)
            self.isPulled = isPulled
            self.body = .chunks(chunks.watched { isPulled.withLock { $0 = true } })
        }
    }

    /// Whether it is read from files, which may change during the wait for a retry.
    var hasFiles: Bool { !files.isEmpty }

    /// Whether it can be sent again: nothing of it was consumed, and its files are unchanged.
    var canBeSentAgain: Bool {
        if let isPulled, isPulled.withLock({ $0 }) { return false }
        return files.allSatisfy { file in file.version != nil && FileVersion(of: file.url) == file.version }
    }
}
