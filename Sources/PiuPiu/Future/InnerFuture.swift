/// A future that the work of a link has made or was given, such as the one that `replace` returns; started.
///
/// If nobody else can see that future it is run in place, like a parent. Whoever makes one must go on to ``value(for:)``.
@usableFromInline
struct InnerFuture<Success: Sendable>: Sendable {
    @usableFromInline
    enum Way: Sendable {
        case inPlace(ResponseFuture<Success>)
        case observed(FutureRun)
    }

    @usableFromInline let way: Way

    /// Starts the future for the sake of `receiver`; a legacy action in it runs before this returns (contract rule
    /// SYNC-START).
    ///
    /// - Throws: ``FutureError/waitsForItself`` if it is the future that `receiver` stands for.
    @inlinable
    init(_ future: consuming ResponseFuture<Success>, for receiver: any UpdateReceiver) throws {
        var start: FutureStart?
        try self.init(claiming: consume future, for: receiver, &start)
        start?.begin()
    }

    /// The same without the start, which is left to the caller.
    @inlinable
    init(
        claiming future: consuming ResponseFuture<Success>, for receiver: any UpdateReceiver,
        _ start: inout FutureStart?
    ) throws {
        if isKnownUniquelyReferenced(&future), future.claimForChild() {
            start = FutureStart(partOf: receiver, future)
            way = .inPlace(future)
        } else {
            start = try FutureStart(registering: receiver, with: future)
            way = .observed(future.run)
        }
    }

    /// The same for a future that has been claimed for the work of `receiver`.
    @inlinable
    init(claimed future: ResponseFuture<Success>, for receiver: any UpdateReceiver) {
        FutureStart(partOf: receiver, future)?.begin()
        way = .inPlace(future)
    }

    /// Makes and starts the future on the main actor; a callback that returns `nil` cancels the chain.
    static func madeOnMainActor(
        for receiver: any UpdateReceiver, _ callback: @MainActor () throws -> ResponseFuture<Success>?
    ) async throws -> InnerFuture {
        try await ResponseFuture<Success>.onMainActor {
            guard let future = try callback() else { throw CancellationError() }
            return try InnerFuture(consume future, for: receiver)
        }
    }

    /// The future's value, as soon as it is there.
    @inlinable
    func value(for receiver: any UpdateReceiver) async throws -> Success {
        let outcome =
            switch way {
            case .inPlace(let future): await future.performInPlace(for: receiver)
            case .observed(let run): await run.outcome(reservedFor: receiver).typed(as: Success.self)
            }
        if Task.isCancelled { throw CancellationError() }
        return try outcome.get()
    }
}
