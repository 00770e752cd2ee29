import Foundation

/// The place of a resumable download among those of this process to the same destination.
///
/// A deadline, a race or a cancelled await ends a download for its caller at once (contract rule PROMPT), while what
/// has arrived is still being written. The next attempt would find the partial file locked, and begin at zero. So it
/// waits until the one before it has left.
final class DownloadPlace: Sendable {
    private struct State {
        var isCancelled = false
        var isOver = false
        /// The gates of those that wait for this.
        var waiting: [PauseGate] = []
    }

    private static let taken = Locked<[URL: DownloadPlace]>([:])

    private let destination: URL
    private let state = Locked(State())

    private init(_ destination: URL) {
        self.destination = destination
    }

    /// Takes the place, after a cancelled download that still has it.
    ///
    /// - Returns: `nil` if another download has it and goes on. Throws if the task is cancelled.
    static func take(_ file: URL) async throws -> DownloadPlace? {
        let destination = file.standardizedFileURL
        while true {
            let new = DownloadPlace(destination)
            let other = taken.withLock { taken -> DownloadPlace? in
                if let other = taken[destination] { return other }
                taken[destination] = new
                return nil
            }
            guard let other else { return new }
            guard let gate = other.gateOfCancelled() else { return nil }
            await gate.pass()
            try Task.checkCancellation()
        }
    }

    /// Carries out what needs the place. If the task is cancelled, the next download waits for its end.
    func hold<Output>(_ work: () async throws -> Output) async throws -> Output {
        try await withTaskCancellationHandler(operation: work) { state.withLock { $0.isCancelled = true } }
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
    private func gateOfCancelled() -> PauseGate? {
        state.withLock { state in
            guard state.isCancelled || state.isOver else { return nil }
            let gate = PauseGate()
            guard !state.isOver else { return gate }
            gate.close()
            state.waiting.append(gate)
            return gate
        }
    }
}
