/// What becomes of a response: takes the events of one exchange, and says when there is an outcome.
package protocol TransferSink: Sendable {
    associatedtype Output: Sendable

    /// Takes one event, and returns the outcome as soon as there is one.
    ///
    /// A failure before the last event ends the exchange. What comes after an outcome is reported as well, and makes no
    /// difference to it.
    func receive(_ event: TransferEvent) -> Result<Output, any Error>?

    /// The number of bytes of the response that were there before: those of a download that is resumed.
    var bytesBefore: Int64 { get }

    /// Takes what the exchange can be given up and held up with.
    func attach(_ handle: any TransferHandle)
}

extension TransferSink {
    package var bytesBefore: Int64 { 0 }
    package func attach(_ handle: any TransferHandle) {}
}
