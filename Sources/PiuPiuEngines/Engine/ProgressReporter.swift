import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Counts the bytes of one exchange, and reports each step (contract rule UPDATES).
///
/// `URLSessionTask` on Linux doesn't count the bytes of a data task.
struct ProgressReporter: Sendable {
    /// A value of its own: a bare closure takes two allocations on its way out of the lock.
    private struct Receiver: Sendable {
        let report: @Sendable (TransferUpdate) -> Void
    }

    private struct State {
        var progress = TransferProgress()
        var hasHead = false
        /// It may retain the outcome of the exchange, so it is released with that.
        var receiver: Receiver?
    }

    private let state: Locked<State>
    private let observation: ExchangeObservation?

    /// - Parameter observation: also gets the head and the bytes that are received. What is sent, a
    ///   ``DrivenExchange`` counts hop by hop.
    init(_ report: @escaping @Sendable (TransferUpdate) -> Void, observation: ExchangeObservation?) {
        state = Locked(State(receiver: Receiver(report: report)))
        self.observation = observation
    }

    /// Reports the start of the exchange.
    func start() {
        observation?.beginTransfer()
        report(.started) { _ in true }
    }

    /// Stops reporting.
    func stop() {
        // Released outside the lock, as its deinit may call back.
        state.release { $0.receiver.take() }
    }

    /// Reports an event that is a step.
    ///
    /// - Parameter bytesBefore: the number of bytes from before the exchange.
    func receive(_ event: TransferEvent, bytesBefore: Int64) {
        switch event {
        case .sent(let bytes, let expected):
            report(.sent) { state in
                state.progress.bytesSent = bytes
                state.progress.bytesExpectedToSend = expected
                return true
            }
        case .head(let head, let request):
            if head.cacheStatus?.isHit == true { report(.cacheHit) { !$0.hasHead } }
            var isFirst = false
            // The length of a coded body says nothing about how many bytes are received, nor does that of a response
            // that has none.
            let isCoded = if case .coded = head.announcedLength { true } else { false }
            let isUnsaid = isCoded || head.isBare(answering: request)
            let expected = isUnsaid ? nil : head.expectedContentLength
            report(.responded) { state in
                // A second head starts the response over; only the first is a step.
                defer { state.hasHead = true }
                state.progress.bytesReceived = bytesBefore
                state.progress.bytesExpectedToReceive = expected.flatMap { $0 >= 0 ? bytesBefore + $0 : nil }
                isFirst = !state.hasHead
                return isFirst
            }
            if isFirst { observation?.report(.head(head)) }
        case .body(let chunk):
            report(.received) { state in
                state.progress.bytesReceived += Int64(chunk.count)
                return true
            }
            observation?.count(received: Int64(chunk.count))
        case .measured, .finished, .failed:
            break
        }
    }

    /// Counts, and reports a step.
    private func report(_ stage: TransferUpdate.Stage, _ count: (inout State) -> Bool) {
        let (isStep, progress, receiver) = state.withLock { (count(&$0), $0.progress, $0.receiver) }
        if isStep { receiver?.report(TransferUpdate(stage: stage, progress: progress)) }
    }
}
