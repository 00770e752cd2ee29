#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The shares that PiuPiu 1.x read from a task, for sessions of your own.
///
/// On Linux only a download task with a delegate counts its bytes: the shares of any other task stay 0 or `nil` there.
/// A future's updates are correct on every platform, as the package counts itself.
extension URLSessionTask: TransferMeasuring {
    /// The counts of the task itself.
    public var transferProgress: TransferProgress {
        TransferProgress(
            bytesSent: countOfBytesSent, bytesExpectedToSend: Self.known(countOfBytesExpectedToSend),
            bytesReceived: countOfBytesReceived, bytesExpectedToReceive: Self.known(countOfBytesExpectedToReceive))
    }

    private static func known(_ count: Int64) -> Int64? { count > 0 ? count : nil }
}

extension Sequence where Element: URLSessionTask {
    /// The tasks that have ended, whatever the outcome.
    public var completed: [Element] { filter { $0.state == .completed } }

    /// The tasks that were cancelled, but have not ended yet.
    public var cancelling: [Element] { filter { $0.state == .canceling } }

    /// The running tasks.
    public var running: [Element] { filter { $0.state == .running } }

    /// The tasks that have not been resumed.
    public var suspended: [Element] { filter { $0.state == .suspended } }
}
