/// Of many futures of one kind, the one that comes first.
extension ResponseFuture {
    /// What the first of several futures to end ends with: its value, error or cancellation. The others are cancelled.
    ///
    /// ```swift
    /// let page = try await ResponseFuture.race(mirrors.map { $0.page(7) }).value
    /// ```
    ///
    /// All are started together. Updates of all are updates of the race, until it ends. Without any future it fails with
    /// ``AllFuturesFailedError``.
    public static func race(_ futures: consuming [ResponseFuture<Success>]) -> ResponseFuture<Success> {
        let children = JoinedChildren(consume futures, limit: nil)
        return ResponseFuture(
            parent: nil,
            join: Join(children) { _, receiver in
                try await withThrowingTaskGroup(of: Success.self) { group in
                    defer { group.cancelAll() }
                    while let child = children.takeUpNext(for: receiver) {
                        group.addTask { try await child.get().value(for: receiver) }
                    }
                    guard let first = try await group.next() else { throw AllFuturesFailedError(errors: []) }
                    return first
                }
            })
    }

    /// The same for the futures that are listed.
    public static func race(_ futures: ResponseFuture<Success>...) -> ResponseFuture<Success> {
        race(futures)
    }

    /// The first value that one of several futures has; the others are cancelled then.
    ///
    /// All are started together, or at most `limit` at a time, the next one when one has failed. Failures and
    /// cancellations count only when no future is left: then it fails with ``AllFuturesFailedError``, or is cancelled if
    /// none of them has failed.
    ///
    /// - Parameters:
    ///   - futures: the futures.
    ///   - limit: how many may run at once; less than one counts as one.
    public static func firstSuccess(
        of futures: consuming [ResponseFuture<Success>], limit: Int? = nil
    ) -> ResponseFuture<Success> {
        let children = JoinedChildren(consume futures, limit: limit)
        return ResponseFuture(
            parent: nil,
            join: Join(children) { _, receiver in
                try await withThrowingTaskGroup(of: (Int, Result<Success, any Error>).self) { group in
                    defer { group.cancelAll() }
                    var place = 0
                    func startNext() {
                        guard let child = children.takeUpNext(for: receiver) else { return }
                        group.addTask { [place] in
                            do {
                                return (place, .success(try await child.get().value(for: receiver)))
                            } catch {
                                return (place, .failure(error))
                            }
                        }
                        place += 1
                    }
                    for _ in 0..<min(children.limit ?? children.count, children.count) { startNext() }
                    var errors: [(place: Int, error: any Error)] = []
                    while let (place, result) = try await group.next() {
                        switch result {
                        case .success(let value): return value
                        case .failure(let error):
                            if !error.isCancellation { errors.append((place, error)) }
                            try Task.checkCancellation()
                            startNext()
                        }
                    }
                    if errors.isEmpty, children.count > 0 { throw CancellationError() }
                    throw AllFuturesFailedError(errors: errors.sorted { $0.place < $1.place }.map(\.error))
                }
            })
    }

    /// The same for the futures that are listed.
    public static func firstSuccess(of futures: ResponseFuture<Success>...) -> ResponseFuture<Success> {
        firstSuccess(of: futures)
    }
}
