import Dispatch
import Foundation

/// The queue that a session calls its delegate on.
///
/// On Linux it is none at all: what `URLSession` hands over is run where it is, on the queue of the process's sessions.
/// The delegate only takes notes there, for a ``SessionEventLine``; a queue in between would wake a thread for each of
/// the few events of a small exchange.
// Sound: OperationQueue is, and nothing is added. (The compiler asks for the restatement.)
final class SessionEventQueue: OperationQueue, @unchecked Sendable {
    #if canImport(Darwin)
        init(_ line: SessionEventLine) {
            super.init()
            maxConcurrentOperationCount = 1
            underlyingQueue = line.queue
        }
    #else
        init(_ line: SessionEventLine) {
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ operation: Operation) {
            operation.start()
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            block()
        }
    #endif
}
