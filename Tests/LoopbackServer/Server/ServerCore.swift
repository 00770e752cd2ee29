import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the threads of a server share. The public object is a handle on it, which can be released while they run.
final class ServerCore: Sendable {
    let port: Int
    let limits: LoopbackLimits
    let state: Awaitable<ServerState>
    private let listener: Int32
    private let pipe: WakePipe

    init(routes: LoopbackRoutes, limits: LoopbackLimits) throws(LoopbackServerError) {
        pipe = try WakePipe()
        (listener, port) = try Socket.listen(backlog: 1_024)
        self.limits = limits
        state = Awaitable(ServerState(routes: routes.routes))
    }

    /// Starts to accept; to be called once. Without it, or after a failure, `stop` still closes the listener.
    func start() throws(LoopbackServerError) {
        try state.withLock { state throws(LoopbackServerError) in
            state.acceptor = try Worker(stackSize: limits.stackBytes) { [self] in acceptConnections() }
        }
    }

    /// Ends everything and returns when the threads are gone and the descriptors closed.
    func stop() {
        let acceptor: Worker?? = state.withLock { state in
            guard state.isRunning else { return nil }
            state.isRunning = false
            // First the listener, so that a client whose connection ends here finds nobody.
            Socket.interrupt(listener)
            for socket in state.sockets.values { Socket.interrupt(socket) }
            defer { state.acceptor = nil }
            return .some(state.acceptor)
        }
        guard let acceptor else { return }
        pipe.wake()
        acceptor?.join()
        // The routes are released as well: a handler may retain the server, which would be a cycle.
        let (workers, routes, refusing) = state.withLock { state in
            defer {
                state.workers = [:]
                state.finished = []
                state.routes = []
                state.refusing = nil
            }
            return (Array(state.workers.values) + state.finished, state.routes, state.refusing)
        }
        for worker in workers { worker.join() }
        POSIX.closeDescriptor(listener)
        if let refusing { POSIX.closeDescriptor(refusing.socket) }
        // Only now, outside the lock: what the handlers retain may do anything when it is released.
        withExtendedLifetime(routes) {}
    }

    /// A port at which nobody listens until the stop.
    func refusingPort() throws(LoopbackServerError) -> Int {
        try state.withLock { state throws(LoopbackServerError) in
            guard state.isRunning else { throw .stopped }
            if let refusing = state.refusing { return refusing.port }
            let refusing = try Socket.holdPort()
            state.refusing = refusing
            return refusing.port
        }
    }

    /// A request has begun; returns the routes of this moment.
    func beginRequest() -> [LoopbackRoute] {
        state.withLock { state in
            state.active += 1
            return state.routes
        }
    }

    func endRequest() {
        state.withLock { $0.active -= 1 }
    }

    func record(_ request: RecordedRequest) {
        var record = request
        if record.body.count > limits.recordedBodyBytes {
            // A copy, as a slice would retain the whole.
            record.body = Data(record.body.prefix(limits.recordedBodyBytes))
        }
        state.withLock { [limits] in $0.record(record, limit: limits.recordedRequests) }
    }

    /// More bytes of a counted body have been sent, or none could be for a while.
    func noteSending(_ event: CountedSending, path: String) {
        state.withLock { state in
            if case .sent(let count) = event { state.sendings[path, default: ServerState.Sending()].bytes += count }
            state.sendings[path, default: ServerState.Sending()].isPaused = event == .paused
        }
    }

    private func acceptConnections() {
        var isExhausted = false
        while true {
            let (isRunning, isFull, finished) = state.withLock { state in
                defer { state.finished = [] }
                return (state.isRunning, state.open >= limits.connections, state.finished)
            }
            for worker in finished { worker.join() }
            guard isRunning else { return }
            // A negative descriptor is left out of the poll.
            var entries = [
                pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isFull || isExhausted ? -1 : listener, events: Int16(POLLIN), revents: 0),
            ]
            // Without free descriptors the pending connection would end each poll at once, and no event says when one
            // is free.
            _ = POSIX.poll(&entries, milliseconds: isExhausted ? 10 : nil)
            isExhausted = false
            if entries[0].revents != 0 { pipe.drain() }
            guard !isFull else { continue }
            switch Socket.accept(from: listener) {
            case .accepted(let socket): serve(socket)
            case .exhausted: isExhausted = true
            case .none: break
            }
        }
    }

    private func serve(_ socket: Int32) {
        let isServed = state.withLock { state in
            guard state.isRunning else { return false }
            let id = state.accepted + 1
            // Under the lock, so that the thread can't end before it is recorded.
            let worker = try? Worker(stackSize: limits.stackBytes) { [self] in
                var connection = Connection(core: self, socket: socket, id: id)
                connection.run()
                finish(id, socket)
            }
            guard let worker else { return false }
            state.accepted = id
            state.open += 1
            state.sockets[id] = socket
            state.workers[id] = worker
            return true
        }
        if !isServed { POSIX.closeDescriptor(socket) }
    }

    private func finish(_ id: Int, _ socket: Int32) {
        // From here on a stop leaves the descriptor alone, as its number may soon be reused.
        state.withLock { $0.sockets[id] = nil }
        POSIX.closeDescriptor(socket)
        state.withLock { state in
            state.open -= 1
            if let worker = state.workers.removeValue(forKey: id) { state.finished.append(worker) }
        }
        pipe.wake()
    }
}
