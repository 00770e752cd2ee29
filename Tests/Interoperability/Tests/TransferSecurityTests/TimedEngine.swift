#if os(Linux)
    import Foundation
    import PiuPiu
    import Synchronization

    /// Notes at each event how much processor time its thread has taken so far; an engine over libcurl has one thread.
    final class TimedEngine: TransferEngine {
        private let engine: CurlEngine
        private let times = Mutex<[pthread_t: Double]>([:])

        init(_ engine: CurlEngine) {
            self.engine = engine
        }

        /// In seconds, by thread.
        var secondsByThread: [pthread_t: Double] { times.withLock { $0 } }

        var streamsBodies: Bool { engine.streamsBodies }
        var settings: TransferSettings { engine.settings }

        func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            engine.start(request) { [self] event in
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                let seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
                times.withLock { $0[pthread_self()] = seconds }
                onEvent(event)
            }
        }

        func finishTasksAndInvalidate() { engine.finishTasksAndInvalidate() }
        func invalidateAndCancel() { engine.invalidateAndCancel() }
    }
#endif
