import Foundation

/// The place of a resumable download among those of this process to the same destination.
///
/// A deadline, a race or a cancelled await ends a download for its caller at once (contract rule PROMPT), while what
/// has arrived is still being written, or moved. The next attempt would find the partial file locked, and begin at
/// zero. So it waits until the one before it has left. That one counts as abandoned as soon as the run that it works
/// for has settled: its caller may be notified, and begin again, before its task is cancelled.
final class DownloadPlace: Sendable {
    private struct State {
        var isCancelled = false
        var isOver = false
        /// The gates of those that wait for this.
        var waiting: [PauseGate] = []
    }

    private static let taken = Locked<[URL: DownloadPlace]>([:])

    private let destination: URL
    private let run: FutureRun
    private let state = Locked(State())

    private init(_ destination: URL, for run: FutureRun) {
        self.destination = destination
        self.run = run
    }

    /// Carries out a download in its place, after an abandoned one that still has it. If the task is cancelled, or the
    /// run has settled, the next download waits for its end.
    ///
    /// - Parameters:
    ///   - run: the run that the download works for.
    ///   - work: gets no place if another download has it and goes on. It isn't called if the task is cancelled before.
    static func hold<Output>(
        _ file: URL, for run: FutureRun, _ work: (DownloadPlace?) async throws -> Output
    ) async throws -> Output {
        // Nobody finds the place before its cancellation would be noted.
        let place = DownloadPlace(file.standardizedFileURL, for: run)
        return try await withTaskCancellationHandler {
            while true {
                try Task.checkCancellation()
                guard let other = place.take() else { break }
                guard let gate = other.gateOfAbandoned() else { return try await work(nil) }
                await gate.pass()
            }
            defer { place.leave() }
            return try await work(place)
        } onCancel: {
            place.state.withLock { $0.isCancelled = true }
        }
    }

    /// Takes the place, unless another download has it.
    ///
    /// - Returns: that download.
    private func take() -> DownloadPlace? {
        Self.taken.withLock { taken in
            if let other = taken[destination] { return other }
            taken[destination] = self
            return nil
        }
    }

    /// Makes room for the next download; again it does nothing.
    func leave() {
        Self.taken.withLock { if $0[destination] === self { $0[destination] = nil } }
        let waiting = state.withLock { state in
            defer { state = State(isOver: true) }
            return state.waiting
        }
        for gate in waiting { gate.open() }
    }

    /// The gate that opens when this download has left; `nil` if it goes on.
    private func gateOfAbandoned() -> PauseGate? {
        let hasSettled = run.status.isComplete
        return state.withLock { state in
            guard hasSettled || state.isCancelled || state.isOver else { return nil }
            let gate = PauseGate()
            guard !state.isOver else { return gate }
            gate.close()
            state.waiting.append(gate)
            return gate
        }
    }
}
