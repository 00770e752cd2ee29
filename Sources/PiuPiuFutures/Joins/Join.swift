/// The work of a link that stands for the values of several futures.
@usableFromInline
final class Join<Success: Sendable>: Sendable {
    @usableFromInline let parts: JoinParts
    @usableFromInline let policy: JoinPolicy
    @usableFromInline let limit: Int?
    /// Makes the value from those of the parts, once the join has succeeded.
    @usableFromInline let combine: @Sendable (JoinEnd) throws -> Success

    @inlinable
    init(
        _ policy: JoinPolicy, of parts: JoinParts, limit: Int? = nil,
        combine: @escaping @Sendable (JoinEnd) throws -> Success
    ) {
        self.policy = policy
        self.parts = parts
        self.limit = limit
        self.combine = combine
    }

    /// Begins the parts for this future, whose work the caller has claimed.
    @usableFromInline
    func begin(_ future: ResponseFuture<Success>) {
        let core = JoinCore(for: future, parts, policy, limit: limit) { [combine] end in
            switch end {
            case .failed(let error): return FutureOutcome(failure: error)
            case .cancelled: return .cancelled
            case .all, .one:
                do { return .success(TypedFutureValue(try combine(end))) } catch {
                    return FutureOutcome(failure: error)
                }
            }
        }
        core.begin()
    }
}

/// The futures of a join, whatever the types of their values.
///
/// Closures, because they are made where the types are known.
@usableFromInline
struct JoinParts: Sendable {
    @usableFromInline let count: Int
    /// The places up to the last part that contains a legacy action: these begin on the caller's thread.
    @usableFromInline let placesOnCaller: Range<Int>
    /// Begins the part at this place, and keeps its value if that is available at once.
    @usableFromInline let begin: @Sendable (Int, JoinCore, _ isHere: Bool) -> FutureOutcome<Void>?
    /// Keeps the value of the part at this place.
    @usableFromInline let keep: @Sendable (Int, any FutureValue) -> Void
    /// Releases what is left.
    @usableFromInline let release: @Sendable () -> Void

    @inlinable
    init(
        count: Int, lastPlaceOnCaller: Int?,
        begin: @escaping @Sendable (Int, JoinCore, _ isHere: Bool) -> FutureOutcome<Void>?,
        keep: @escaping @Sendable (Int, any FutureValue) -> Void, release: @escaping @Sendable () -> Void
    ) {
        self.count = count
        placesOnCaller = 0..<(lastPlaceOnCaller.map { $0 + 1 } ?? 0)
        self.begin = begin
        self.keep = keep
        self.release = release
    }
}
