#if canImport(CPiuPiuCurl)
    import Dispatch
    import Foundation

    /// Supplies the chunks of a request's body, in a task that inherits from the caller who starts the exchange
    /// (contract rule INHERIT).
    struct CurlSupplier: Sendable {
        private let gate: PauseGate
        private let task: Task<Void, Never>

        /// Makes a supplier, which asks for no chunk yet.
        ///
        /// - Parameter offer: gets each chunk, `nil` for the end, or the error; returns whether to go on.
        init(_ chunks: TransferChunks, offer: @escaping @Sendable (Result<Data?, any Error>) async -> Bool) {
            let gate = PauseGate()
            gate.close()
            self.gate = gate
            task = Task {
                await gate.pass()
                guard !Task.isCancelled else { return }
                do {
                    for try await chunk in chunks.measured {
                        guard await offer(.success(chunk)) else { return }
                    }
                    _ = await offer(.success(nil))
                } catch {
                    _ = await offer(.failure(error))
                }
            }
        }

        /// libcurl asks for the body.
        func begin() { gate.open() }

        /// Ends the supply. Not on the caller's thread, which is that of the loop: cancelling a task runs the handlers
        /// of its cancellation, and a sequence of the user's may have one that blocks.
        func cancel() {
            DispatchQueue.global(qos: .userInitiated).async { [task] in task.cancel() }
        }
    }
#endif
