#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The shares that PiuPiu 1.x read from a task, for sessions of your own.
///
/// On Linux only the task of a download that a delegate follows counts its bytes: the shares of another stay 0 or `nil`
/// there. A future's updates are right on every platform, as the package counts itself.
extension URLSessionTask: TransferMeasuring {
    /// What the task itself has counted.
    public var transferProgress: TransferProgress {
        TransferProgress(
            bytesSent: countOfBytesSent, bytesExpectedToSend: Self.known(countOfBytesExpectedToSend),
            bytesReceived: countOfBytesReceived, bytesExpectedToReceive: Self.known(countOfBytesExpectedToReceive))
    }

    private static func known(_ count: Int64) -> Int64? { count > 0 ? count : nil }
}

extension Sequence where Element: URLSessionTask {
    /// Those that have come to their end, whatever it was.
    public var completed: [Element] { filter { $0.state == .completed } }

    /// Those that have been asked to end and have not ended yet.
    public var cancelling: [Element] { filter { $0.state == .canceling } }

    /// Those that are under way.
    public var running: [Element] { filter { $0.state == .running } }

    /// Those that have not been resumed.
    public var suspended: [Element] { filter { $0.state == .suspended } }
}
