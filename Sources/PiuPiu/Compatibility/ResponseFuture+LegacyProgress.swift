/// The progress of PiuPiu 1.4: one number from 0 to 1.
///
/// There are no weights any more. In PiuPiu 1.4 each future had an `order`, which set the share of each part of a join.
/// Now the number is that of the most advanced request, or of ``update(progress:)``. It never decreases, so the first
/// of two requests in series takes it close to 1. For a bar over several requests make a `foundationProgress()` of
/// each.
extension ResponseFuture {
    /// Called with the progress: with numbers that only grow, below 1 until the value is there.
    ///
    /// It runs on the main actor. A success brings 1, exactly once and before `success`; an error and a cancellation
    /// don't. It has its own slot, beside that of `updated`; an operator takes it over like the others (contract rule
    /// SLOT). An update is dropped if its share is unknown, or no greater than the last number.
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

    /// The progress, from 0 to 1: 1 for a future with a value, and below 1 for any other.
    ///
    /// From any thread. It is never behind the numbers of ``progress(_:)``, and may be ahead of them.
    @available(*, deprecated, message: "Use updated(_:), whose update has percentTransferred, or progressUpdates().")
    public var progress: Float {
        // The status is another one after an error that `success` has thrown (contract rule THROW).
        if case .success? = settledResult { return 1 }
        return min(existingRun?.highestToldShare ?? 0, Float(1).nextDown)
    }

    /// Reports the progress to `progress`, from 0 to 1; other values are clamped, and NaN is ignored.
    ///
    /// The `updated` callbacks are also notified, as if of a transfer of 2⁴⁰ bytes.
    @available(*, deprecated, message: "Use update(with: TransferUpdate).")
    public func update(progress: Float) {
        guard !progress.isNaN else { return }
        let whole: Int64 = 1 << 40
        let part = Int64((Double(min(max(progress, 0), 1)) * Double(whole)).rounded())
        update(
            with: TransferUpdate(
                stage: .received, progress: TransferProgress(bytesReceived: part, bytesExpectedToReceive: whole)))
    }

    /// The number of operators above a future in PiuPiu 1.4, which weighted its progress; now always 1.
    @available(*, deprecated, message: "Progress is not weighted any more: leave it out.")
    public var order: UInt { 1 }

    /// The same as ``init(file:line:action:)``; the order has no effect any more.
    @available(*, deprecated, message: "Progress is not weighted any more: leave out the order.")
    @preconcurrency
    public convenience init(
        order: UInt, file: String = #fileID, line: UInt = #line, action: @escaping ActionCallback
    ) {
        self.init(file: file, line: line, action: action)
    }

    /// The same as ``init(result:)``; the order has no effect any more.
    @available(*, deprecated, message: "Progress is not weighted any more: leave out the order.")
    public convenience init(order: UInt, result: Success) {
        self.init(result: result)
    }
}

/// Makes the growing numbers of PiuPiu 1.4 from updates.
@MainActor
private final class ProgressMeter {
    private var last: Float = 0

    nonisolated init() {}

    /// The number to show, if there is a new one.
    ///
    /// - Parameter update: the update; `nil` once the value is there.
    func advance(to update: TransferUpdate?) -> Float? {
        guard let update else { return 1 }
        guard let share = update.percentTransferred, share > last, share < 1 else { return nil }
        last = share
        return share
    }
}
