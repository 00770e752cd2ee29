import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The queue that a session calls its delegate on.
///
/// On Linux it is an operation queue without operations: what `URLSession` hands over goes straight to a serial dispatch
/// queue, which makes an exchange 20 to 40 % cheaper. And it sees to it that the session pauses now and then:
/// - All sessions of a process work on one queue in the end. The queue on which one of them reads its sockets never runs
///   empty while a fast server sends, and until it does nobody else has a turn: no task can be made, resumed or
///   cancelled in the whole process. So every few reports reading is suspended until the delegate has caught up.
/// - Reports wait no longer in line than that, so that memory stays bounded when a file is written more slowly than its
///   content arrives.
// Sound: OperationQueue is, and what is added is immutable or locked. (The compiler asks for the restatement.)
final class SessionEventQueue: OperationQueue, @unchecked Sendable {
    #if canImport(Darwin)
        init(_ queue: DispatchQueue) {
            super.init()
            maxConcurrentOperationCount = 1
            underlyingQueue = queue
        }

        /// Apple's sessions need no help.
        func pauseReading(of session: URLSession) {}
    #else
        /// How many reports come between two pauses; a report is a chunk of at most 16 KB.
        private static let burst = 32
        /// Reading goes on when no more than these are left, so that the delegate doesn't run dry.
        private static let rest = 16

        private struct State {
            var reading: DispatchQueue?
            var isPaused = false
            var reportsSincePause = 0
            var waitingReports = 0
        }

        private let queue: DispatchQueue
        private let state = Locked(State())

        init(_ queue: DispatchQueue) {
            self.queue = queue
            super.init()
            maxConcurrentOperationCount = 1
        }

        /// From now on the session, whose queue this is, pauses after each burst of reports. To be called before it has
        /// any task.
        func pauseReading(of session: URLSession) {
            let reading = session.readingQueue
            state.withLock { $0.reading = reading }
        }

        override func addOperation(_ operation: Operation) {
            report { operation.start() }
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            report(block)
        }

        private func report(_ block: @escaping @Sendable () -> Void) {
            state.withLock { state in
                state.waitingReports += 1
                state.reportsSincePause += 1
                guard !state.isPaused, state.reportsSincePause >= Self.burst, let reading = state.reading else {
                    return
                }
                state.isPaused = true
                state.reportsSincePause = 0
                reading.suspend()
            }
            queue.async { [state] in
                block()
                state.withLock { state in
                    state.waitingReports -= 1
                    guard state.isPaused, state.waitingReports <= Self.rest else { return }
                    state.isPaused = false
                    state.reading?.resume()
                }
            }
        }
    #endif
}

#if !canImport(Darwin)
    extension URLSession {
        /// The queue on which the session's sockets are read.
        ///
        /// FoundationNetworking keeps it to itself, and offers no other way to make a session wait. It is looked up by
        /// reflection, at a time when nothing runs in the session; without it sessions would merely not pause.
        fileprivate var readingQueue: DispatchQueue? {
            let sockets = Mirror(reflecting: self).descendant("multiHandle")
            return sockets.flatMap { Mirror(reflecting: $0).descendant("queue") as? DispatchQueue }
        }
    }
#endif
