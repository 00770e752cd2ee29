/// The consumer of a response: it gets the events of one exchange, and makes an outcome.
package protocol TransferSink: Sendable {
    associatedtype Output: Sendable

    /// Gets one event, and returns the outcome as soon as there is one.
    ///
    /// A failure before the last event ends the exchange. Events after the outcome are also passed in, but don't change
    /// it.
    func receive(_ event: TransferEvent) -> Result<Output, any Error>?

    /// The number of bytes of the response from before the exchange: those of a resumed download.
    var bytesBefore: Int64 { get }

    /// Gets the handle that cancels, pauses and resumes the exchange.
    func attach(_ handle: any TransferHandle)
}

/// The answer is of no use, and another request is sent in place of this one: see ``TransferRequest/isReplacement``.
package protocol ReplacementError: Error {}

extension TransferSink {
    package var bytesBefore: Int64 { 0 }
    package func attach(_ handle: any TransferHandle) {}
}
