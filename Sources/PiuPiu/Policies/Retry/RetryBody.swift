import Foundation

/// What a request sends after its headers, and whether that can be sent again (rule BODY).
struct RetryBody: Sendable {
    /// What is to be sent: it notes when the first of its chunks is asked for.
    let body: TransferBody

    /// The files that it is read from, as they were at first.
    private let files: [(url: URL, version: FileVersion?)]

    /// Whether chunks were asked for that come once only; `nil` where there are none.
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
            // The stream of a request that isn't an upload's is read out of sight.
            let isPulled = Locked(kind != .upload)
            self.isPulled = isPulled
            self.body = .chunks(chunks.watched { isPulled.withLock { $0 = true } })
        }
    }

    /// Whether it is read from files, which may change while a retry is waited for.
    var hasFiles: Bool { !files.isEmpty }

    /// Whether it can be sent again: nothing of it was used up, and its files are the same.
    var canBeSentAgain: Bool {
        if let isPulled, isPulled.withLock({ $0 }) { return false }
        return files.allSatisfy { file in file.version != nil && FileVersion(of: file.url) == file.version }
    }
}
