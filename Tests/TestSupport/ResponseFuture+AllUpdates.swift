package import PiuPiu

extension ResponseFuture {
    /// Sends the future, and returns all its updates once its last callback has run.
    package var allUpdates: [TransferUpdate] {
        get async {
            let updates = Locked<[TransferUpdate]>([]), hasEnded = Gate()
            onUpdate { update in updates.withLock { $0.append(update) } }.onCompletion { hasEnded.open() }.send()
            await hasEnded.opened()
            return updates.withLock { $0 }
        }
    }

    /// Sends the future, and returns its value with all its updates.
    ///
    /// An awaiter doesn't wait for the callbacks, so a test that reads what they store has to.
    package var valueAndUpdates: (value: Success, updates: [TransferUpdate]) {
        get async throws {
            let updates = await allUpdates
            return (try await value, updates)
        }
    }
}
