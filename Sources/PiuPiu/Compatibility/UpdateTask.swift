#if canImport(FoundationNetworking)
    import FoundationNetworking
#else
    import Foundation
#endif

// Sound: it has nothing but constants.

/// A picture of a task at the time of an update, for callbacks that name `URLSessionTask`.
///
/// It is of no session, so nothing of it may reach Foundation's own workings: each method that would is overridden.
final class UpdateTask: URLSessionTask, @unchecked Sendable {
    private let transfer: TransferProgress
    private let cancelFuture: @Sendable () -> Void

    // Foundation has deprecated tasks without a session; PiuPiu 1.x handed out such for its mocks.
    @available(*, deprecated)
    init(_ update: TransferUpdate, cancelFuture: @escaping @Sendable () -> Void) {
        transfer = update.progress
        self.cancelFuture = cancelFuture
        super.init()
    }

    override var countOfBytesSent: Int64 { transfer.bytesSent }
    override var countOfBytesExpectedToSend: Int64 { transfer.bytesExpectedToSend ?? 0 }
    override var countOfBytesReceived: Int64 { transfer.bytesReceived }
    override var countOfBytesExpectedToReceive: Int64 { transfer.bytesExpectedToReceive ?? 0 }
    override var state: URLSessionTask.State { .running }

    override func cancel() { cancelFuture() }
    override func suspend() {}
    override func resume() {}
}
