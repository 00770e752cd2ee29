#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation

    /// What the loop of an engine has to do.
    enum CurlCommand: Sendable {
        /// A request, whether its server is held up, and the receiver of its events.
        case start(Int, TransferRequest, Locked<Bool>, @Sendable (TransferEvent) -> Void)
        case cancel(Int)
        case resume(Int)
        /// The next chunk of a request's body, or `nil` for its end; the answer is whether another one is wanted.
        case supply(Int, Result<Data?, any Error>, CheckedContinuation<Bool, Never>)
        case cancelAll
        case refuseOthers
    }

    /// The commands on their way to the loop of an engine, from any thread; it starts the loop's thread with the first one.
    final class CurlInbox: Sendable {
        private struct State {
            var commands: [CurlCommand] = []
            var isStarted = false
            var isClosed = false
            /// Whether the loop has ended for good: what comes now is answered here.
            var hasEnded = false
            /// What wakes the loop; made with the first one.
            var wake: Int32 = -1
            /// Whether the loop has to be woken; while it is awake, it looks at the commands before it sleeps.
            var isAsleep = false
        }

        private let setup: CurlSetup
        private let state = Locked(State())

        init(_ setup: CurlSetup) {
            self.setup = setup
        }

        // Nobody is left to post anything.
        deinit {
            let wake = state.withLock { $0.wake }
            if wake >= 0 { Foundation.close(wake) }
        }

        /// Gives the loop a command.
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
            // It would wait for ever, and keep this.
            if isTooLate, case .supply(_, _, let continuation) = command { continuation.resume(returning: false) }
        }

        /// No exchange is started any more: the loop ends with the last that runs.
        func close() {
            let wake = state.withLock { state in
                state.isClosed = true
                defer { state.isAsleep = false }
                return state.isAsleep ? state.wake : nil
            }
            if let wake { eventfd_write(wake, 1) }
        }

        /// Takes the commands that there are. If there are none, the loop may sleep: the next command wakes it.
        ///
        /// - Parameter isIdle: whether nothing is under way. The loop has to end then, if no exchange is started any more.
        func take(_ commands: inout [CurlCommand], isIdle: Bool) -> (mustEnd: Bool, maySleep: Bool) {
            commands.removeAll(keepingCapacity: true)
            return state.withLock { state in
                swap(&state.commands, &commands)
                state.isAsleep = commands.isEmpty
                state.hasEnded = state.isClosed && isIdle && commands.isEmpty
                return (state.hasEnded, commands.isEmpty)
            }
        }

        /// Whether there is something to do.
        var hasCommands: Bool { state.withLock { !$0.commands.isEmpty } }

        /// The loop is awake.
        func stayAwake() {
            state.withLock { $0.isAsleep = false }
        }

        /// The loop ends, unless there is something to do: the next command starts another one. Returns whether it may.
        func mayEndLoop() -> Bool {
            state.withLock { state in
                if state.commands.isEmpty { state.isStarted = false }
                state.hasEnded = state.isClosed && state.commands.isEmpty
                return state.commands.isEmpty
            }
        }

        private func startLoop() {
            let thread = Thread { [self] in
                Self.blockSignals()
                let wake = state.withLock { state in
                    if state.wake < 0 { state.wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
                    return state.wake
                }
                CurlLoop(self, setup, wake: wake).run()
            }
            thread.start()
        }

        /// libcurl leaves a SIGPIPE to its caller, and with it the process, when a connection is closed while it is
        /// written to; and the application's signals are not for this thread.
        private static func blockSignals() {
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_BLOCK, &all, nil)
        }
    }
#endif
