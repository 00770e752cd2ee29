#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Dispatch
    import Foundation
    import FoundationNetworking

    /// A command for the loop of an engine.
    enum CurlCommand: Sendable {
        /// A request, the supplier of its chunks, what its handle knows, and the receiver of its events.
        case start(Int, TransferRequest, CurlSupplier?, Locked<CurlReading>, @Sendable (TransferEvent) -> Void)
        /// Cancels a transfer; whether it has timed out.
        case cancel(Int, hasTimedOut: Bool)
        /// Ends a transfer whose response is complete, although the request's body isn't sent; unless that was sent
        /// meanwhile, and the response may go on.
        case finish(Int)
        case resume(Int)
        /// The next chunk of a request's body.
        case supply(Int, CurlSupply)
        case cancelAll
        case refuseOthers
    }

    /// What a transfer and its handle tell each other at once, without a command.
    struct CurlReading: Sendable {
        /// Whether the reader has paused the response.
        var isHeld = false
        /// Whether the response is complete, while the request's body may still be sent.
        var isWhole = false
        /// Whether the next chunk of the request's body isn't there yet.
        var isStarved = false
    }

    /// The queue of commands for the loop of an engine, from any thread. The first command starts the loop's thread.
    final class CurlInbox: Sendable {
        private struct State {
            var commands: [CurlCommand] = []
            var isStarted = false
            var isClosed = false
            /// Whether the engine was invalidated while there was no loop: the next one refuses all exchanges.
            var isInvalid = false
            /// Whether the loop has ended for good: later commands are answered here.
            var hasEnded = false
            /// The descriptor that wakes the loop; made with the first loop.
            var wake: Int32 = -1
            /// Whether the loop must be woken; while it is awake, it checks for commands before it sleeps.
            var isAsleep = false
        }

        private let setup: CurlSetup
        private let startThread: CurlThread.Start
        private let state = Locked(State())

        init(_ setup: CurlSetup, startThread: @escaping CurlThread.Start = CurlThread.start) {
            self.setup = setup
            self.startThread = startThread
        }

        // Nothing can post a command any more.
        deinit {
            let wake = state.withLock { $0.wake }
            if wake >= 0 { Foundation.close(wake) }
        }

        /// Enqueues a command.
        func post(_ command: CurlCommand) {
            let (wake, mustStart, isTooLate) = state.withLock { state -> (Int32?, Bool, Bool) in
                if state.hasEnded { return (nil, false, true) }
                state.commands.append(command)
                defer {
                    state.isStarted = true
                    state.isAsleep = false
                }
                return (state.isAsleep ? state.wake : nil, !state.isStarted, false)
            }
            if let wake { eventfd_write(wake, 1) }
            if mustStart { startLoop() }
            // Otherwise it would wait for ever, and retain the inbox.
            if isTooLate, case .supply(_, let supply) = command { supply.answer(false) }
        }

        /// Refuses new exchanges, and cancels the running ones if asked to. Starts no loop for that.
        func invalidate(cancelling: Bool) {
            let hasLoop = state.withLock { state in
                if !state.isStarted { state.isInvalid = true }
                return state.isStarted
            }
            guard hasLoop else { return }
            post(.refuseOthers)
            if cancelling { post(.cancelAll) }
        }

        /// No exchange starts any more: the loop ends after the last running one.
        func close() {
            let wake = state.withLock { state in
                state.isClosed = true
                defer { state.isAsleep = false }
                return state.isAsleep ? state.wake : nil
            }
            if let wake { eventfd_write(wake, 1) }
        }

        /// Dequeues all commands.
        ///
        /// - Parameter isIdle: whether nothing is in flight.
        /// - Returns: whether the loop must end, as it is idle, and no exchange starts any more.
        func take(_ commands: inout [CurlCommand], isIdle: Bool) -> Bool {
            commands.removeAll(keepingCapacity: true)
            return state.withLock { state in
                swap(&state.commands, &commands)
                state.hasEnded = state.isClosed && isIdle && commands.isEmpty
                return state.hasEnded
            }
        }

        /// Whether the loop may sleep: the next command wakes it. It may not where it must end.
        func maySleep(isIdle: Bool) -> Bool {
            state.withLock { state in
                state.isAsleep = state.commands.isEmpty && !(state.isClosed && isIdle)
                return state.isAsleep
            }
        }

        /// Whether there are commands.
        var hasCommands: Bool { state.withLock { !$0.commands.isEmpty } }

        /// Notes that the loop is awake.
        func stayAwake() {
            state.withLock { $0.isAsleep = false }
        }

        private func startLoop() {
            let isStarted = startThread { [self] in
                Self.blockSignals()
                let (wake, isInvalid) = state.withLock { state in
                    if state.wake < 0 { state.wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
                    return (state.wake, state.isInvalid)
                }
                let loop = CurlLoop(self, setup, wake: wake, isInvalid: isInvalid)
                if let loop { loop.run() } else { refuseAll() }
            }
            // Not on the caller's thread: nothing is reported inside the start of an exchange.
            if !isStarted { DispatchQueue.global().async { [self] in refuseAll() } }
        }

        /// Refuses the waiting commands: no thread, no memory or no descriptor is left for a loop. The next command
        /// tries to start one again.
        private func refuseAll() {
            let (commands, wasInvalid) = state.withLock { state in
                let commands = state.commands, wasInvalid = state.isInvalid
                state.commands = []
                // For the next loop, which may start at once.
                state.isInvalid = wasInvalid || commands.contains { if case .refuseOthers = $0 { true } else { false } }
                state.isStarted = false
                state.hasEnded = state.isClosed
                return (commands, wasInvalid)
            }
            var isInvalid = wasInvalid
            for command in commands {
                switch command {
                case .start(_, let request, let supplier, _, let onEvent):
                    supplier?.cancel()
                    let kind = isInvalid ? TransferError.Kind.sessionInvalidated : .cannotConnect
                    onEvent(.failed(TransferError(kind, url: request.urlRequest.url)))
                case .supply(_, let supply): supply.answer(false)
                case .refuseOthers: isInvalid = true
                case .cancel, .finish, .resume, .cancelAll: break
                }
            }
        }

        /// libcurl doesn't handle the SIGPIPE of a write to a closed connection, which would end the process. The
        /// signals of the application aren't for this thread either, but those of its own faults and of a profiler are:
        /// blocked ones would end the process without a crash report. Nothing is left of the mask of the thread that
        /// started this one: those of libdispatch block SIGABRT.
        private static func blockSignals() {
            var others = sigset_t()
            sigfillset(&others)
            for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF] { sigdelset(&others, own) }
            pthread_sigmask(SIG_SETMASK, &others, nil)
        }
    }
#endif
