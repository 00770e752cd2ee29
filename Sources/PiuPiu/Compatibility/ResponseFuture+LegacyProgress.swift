/// The progress of PiuPiu 1.4: one number from 0 to 1.
///
/// The weights are gone. PiuPiu 1.4 gave each future an `order`, and each part of a join a share by it; the number that
/// arrives now is that of the request that has come furthest, or of whatever ``update(progress:)`` reported. It never
/// goes back, so of two requests in series the first takes it close to 1. For a bar over several requests make a
/// `foundationProgress()` of each.
extension ResponseFuture {
    /// Called with how far the work has come: with numbers that only grow, below 1 until the value is there.
    ///
    /// On the main actor. A success brings 1, exactly once and before `success`; an error and a cancellation don't.
    /// It has a slot of its own, beside that of `updated`; an operator takes it over like the others (contract rule
    /// SLOT). An update whose share isn't known, or that isn't more than the last number, is left out.
    @available(*, deprecated, message: "Use updated(_:), whose update has percentTransferred.")
    @preconcurrency
    public func progress(_ callback: @escaping @MainActor (Float) -> Void) -> ResponseFuture<Success> {
        let meter = ProgressMeter()
        run.attach(
            .progress { update in
                if let share = meter.advance(to: update) { callback(share) }
            }, for: .progress, of: self)
        return self
    }

    /// How far the work has come, from 0 to 1: 1 for a future with a value, and below it for any other.
    ///
    /// From any thread. It is never behind the numbers that ``progress(_:)`` is called with, and may be ahead of them.
    @available(*, deprecated, message: "Use updated(_:), whose update has percentTransferred, or progressUpdates().")
    public var progress: Float {
        status == .success ? 1 : min(existingRun?.highestToldShare ?? 0, Float(1).nextDown)
    }

    /// Tells `progress` how far the work has come, from 0 to 1; values beyond are taken for the nearest, and one that
    /// is no number is ignored.
    ///
    /// The `updated` callbacks hear of it too, as of a transfer whose length is 2⁴⁰ bytes.
    @available(*, deprecated, message: "Use update(with: TransferUpdate).")
    public func update(progress: Float) {
        guard !progress.isNaN else { return }
        let whole: Int64 = 1 << 40
        let part = Int64((Double(min(max(progress, 0), 1)) * Double(whole)).rounded())
        update(
            with: TransferUpdate(
                stage: .received, progress: TransferProgress(bytesReceived: part, bytesExpectedToReceive: whole)))
    }

    /// How many operators stood above a future in PiuPiu 1.4, which weighed its progress; 1 for all of them now.
    @available(*, deprecated, message: "Progress is not weighted any more: leave it out.")
    public var order: UInt { 1 }

    /// The same as ``init(file:line:action:)``; the order means nothing any more.
    @available(*, deprecated, message: "Progress is not weighted any more: leave out the order.")
    @preconcurrency
    public convenience init(
        order: UInt, file: String = #fileID, line: UInt = #line, action: @escaping ActionCallback
    ) {
        self.init(file: file, line: line, action: action)
    }

    /// The same as ``init(result:)``; the order means nothing any more.
    @available(*, deprecated, message: "Progress is not weighted any more: leave out the order.")
    public convenience init(order: UInt, result: Success) {
        self.init(result: result)
    }
}

/// Makes the growing numbers of PiuPiu 1.4 out of updates.
@MainActor
private final class ProgressMeter {
    private var last: Float = 0

    nonisolated init() {}

    /// The number to show, if there is a new one.
    ///
    /// - Parameter update: the update, or `nil` when the value is there.
    func advance(to update: TransferUpdate?) -> Float? {
        guard let update else { return 1 }
        guard let share = update.percentTransferred, share > last, share < 1 else { return nil }
        last = share
        return share
    }
}
