import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The line in which the events of a session wait for their turn on a serial queue, and what bounds it.
///
/// On Linux a session calls its delegate on the queue on which it reads its sockets (see ``SessionEventQueue``), where
/// nothing may be done but to take a note of the event. All that arrived together is reported together, as waking the queue
/// costs more than most events do. And the session pauses now and then, as ``EventPacing`` says:
/// - All sessions of a process work on one queue in the end. The queue on which one of them reads never runs empty while
///   a fast server sends, and until it does nobody else has a turn: no task can be made, resumed or cancelled in the
///   whole process. So after a few events reading is suspended until the line is short again.
/// - No more events wait than that, so that memory stays bounded when a file is written more slowly than its content
///   arrives.
/// - While small exchanges are under way, a large one pauses a little longer than it has to, and leaves them the
///   processor: a small exchange is some ten steps of several threads, and would have to wait at each of them.
final class SessionEventLine: Sendable {
    /// Where events are reported: serial, and off the main thread.
    let queue = DispatchQueue(label: "PiuPiu.events")

    private let largeExchanges = Locked(0)

    /// Whether a large exchange is under way here, behind whose events others had better not stand in line.
    var isBusy: Bool { largeExchanges.withLock { $0 > 0 } }

    /// A large exchange has begun, or has turned out to be one.
    func beginLargeExchange() { largeExchanges.withLock { $0 += 1 } }

    /// It is over.
    func endLargeExchange() { largeExchanges.withLock { $0 -= 1 } }

    #if canImport(Darwin)
        // Apple's sessions need no help: this is their delegate's queue already.

        func append(bytes: Int = 0, _ event: @escaping @Sendable () -> Void) { event() }

        func pauseReading(of session: URLSession) {}

        func withoutReading<Output>(_ work: () -> Output) -> Output { work() }
    #else
        /// For how long a large exchange lets small ones pass, now and then: the whole of some, and no more than a bound of
        /// about 100 MB/s for what is large.
        private static let courtesy = DispatchTimeInterval.milliseconds(2)

        private struct State {
            var reading: DispatchQueue?
            var pacing = EventPacing()
            var events: [@Sendable () -> Void] = []
        }

        private let state = Locked(State())

        /// From now on `session`, whose events come here, pauses after each burst of them. To be called before it has any
        /// task.
        func pauseReading(of session: URLSession) {
            let reading = session.readingQueue
            state.withLock { $0.reading = reading }
        }

        /// Runs `work`, which waits for the session's queue several times, while nothing is read: at each of them a
        /// thread would have to hand the queue over to another, and get it back.
        func withoutReading<Output>(_ work: () -> Output) -> Output {
            let reading = state.withLock { $0.reading }
            reading?.suspend()
            defer { reading?.resume() }
            return work()
        }

        /// Puts an event at the end of the line, which is about so many bytes.
        func append(bytes: Int = 0, _ event: @escaping @Sendable () -> Void) {
            let (arrival, reading) = state.withLock { state in
                state.events.append(event)
                let arrival = state.pacing.arrived(bytes: bytes, canPause: state.reading != nil)
                // Under the lock, as the resumption is: neither overtakes the other.
                if arrival == .pauseAndTell { state.reading?.suspend() }
                return (arrival, state.reading)
            }
            switch arrival {
            case .wait: break
            case .tellAfterReading: reading?.async { self.call() }
            case .tell, .pauseAndTell: call()
            }
        }

        private func call() {
            queue.async { self.tell() }
        }

        private func tell() {
            var events = state.withLock { state in
                state.pacing.willTell()
                defer { state.events = [] }
                return state.events
            }
            events.reverse()
            // Each goes when it has been reported, and what it holds with it.
            while let event = events.popLast() {
                event()
                let departure = state.withLock { state in
                    let departure = state.pacing.told(letsOthersPass: isBusy && SmallExchanges.areUnderWay)
                    if departure == .goOn { state.reading?.resume() }
                    return departure
                }
                if departure == .goOnAfterCourtesy {
                    queue.asyncAfter(deadline: .now() + Self.courtesy) { self.goOn() }
                }
            }
        }

        private func goOn() {
            state.withLock { state in
                state.pacing.goOn()
                state.reading?.resume()
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
