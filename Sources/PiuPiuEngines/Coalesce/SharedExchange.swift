import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a ``CoalescingEngine``, shared by several callers.
///
/// It belongs to none of them: it starts on the engine's queue, without task-local values (rule NEUTRAL), and without a
/// timeout, because each caller has its own.
final class SharedExchange: TransferTurn, RelayedExchange {
    private struct State {
        var course = SharedCourse()
        var relay = HandleRelay()
        var callers: [Int: Caller] = [:]
        var lastID = 0
        /// Whether the exchange waits for the disk of a cache.
        var waitsForDisk = false

        /// Takes a step, and updates the back-pressure after it.
        mutating func advance<Output>(_ step: (inout SharedCourse) -> Output) -> Output {
            defer { relay.isHeld = course.isHeld }
            return step(&course)
        }
    }

    private struct Caller: Sendable {
        let onEvent: @Sendable (TransferEvent) -> Void
        /// `nil` once it has left.
        var turn: (any TransferTurn)?
        var timeout: TimeInterval
    }

    private let key: CoalescingKey
    private let request: TransferRequest
    private let engine: CoalescingEngine
    private let state = Locked(State())

    init(_ request: TransferRequest, key: CoalescingKey, engine: CoalescingEngine) {
        self.key = key
        self.engine = engine
        var neutral = request
        neutral.urlRequest.timeoutInterval = 1e9
        // Later callers may have longer ones, but seldom than the usual one. The caller may be a shared exchange itself.
        neutral.sharedTimeout = max(request.connectTimeout, TransferSettings.defaultTimeout)
        (neutral.turn, neutral.observation) = (nil, nil)
        self.request = neutral
    }

    /// Adds a caller; `nil` if it is too late. Call ``SharedHandle/begin()`` next.
    func join(_ request: TransferRequest, _ onEvent: @escaping @Sendable (TransferEvent) -> Void) -> SharedHandle? {
        state.withLock { state in
            state.lastID += 1
            let id = state.lastID
            let join = state.advance { $0.join(id) }
            guard join != .late else { return nil }
            state.callers[id] = Caller(
                onEvent: onEvent, turn: request.turn, timeout: request.urlRequest.timeoutInterval)
            return SharedHandle(
                exchange: self, id: id, mustDeliver: join == .joinedLate,
                turn: state.course.waits || state.course.hasBegun ? request.turn : nil,
                mustWait: state.course.waits, turnOnDisk: state.waitsForDisk ? request.turn : nil)
        }
    }

    /// Sends the request.
    func start() {
        let receiver = TransferReceiver(url: request.urlRequest.url) { [self] event in receive(event) }
        guard !state.withLock({ $0.relay.isCancelled }) else { return receiver.receive(.failed(CancellationError())) }
        var sent = request
        sent.turn = self
        attach(engine.base.start(sent) { receiver.receive($0) })
    }

    private func receive(_ event: TransferEvent) {
        let (ready, handle) = state.withLock { state in
            (state.advance { $0.received(event) }, event.isTerminal ? state.relay.end() : nil)
        }
        if event.isTerminal { engine.remove(self, for: key) }
        withExtendedLifetime(handle) {
            for id in ready { deliver(to: id) }
        }
    }

    // MARK: Callers

    /// Delivers the pending events of a caller, one after the other.
    func deliver(to id: Int) {
        while let (event, caller) = next(for: id) { caller.onEvent(event) }
    }

    private func next(for id: Int) -> (TransferEvent, Caller)? {
        state.withLock { state in
            guard let event = state.advance({ $0.next(for: id) }) else { return nil }
            let caller = event.isTerminal ? state.callers.removeValue(forKey: id) : state.callers[id]
            return caller.map { (event, $0) }
        }
    }

    /// A caller leaves, and gets `failure`. If it was the last one, the exchange is cancelled because of `cause`.
    func leave(_ id: Int, with failure: any Error = CancellationError(), because cause: any Error) {
        let (leave, turnOnDisk) = state.withLock { state in
            let leave = state.advance { $0.leave(id, because: failure) }
            // It waits no longer.
            state.callers[id]?.timeout = 0
            let turn = state.callers[id]?.turn.take()
            if leave.isAbandoned { state.relay.cancel(because: cause) }
            return (leave, state.waitsForDisk ? turn : nil)
        }
        try? turnOnDisk?.leavesDisk()
        if leave.isAbandoned { engine.remove(self, for: key) }
        apply()
        if leave.mustDeliver { deliverSoon(to: id) }
    }

    /// The server has been silent for longer than a caller waits: whether a cache below has another answer for all of
    /// them. It isn't asked if another caller is willing to wait longer.
    func recover(_ id: Int, from error: any Error) -> Bool {
        let handle = state.withLock { state -> (any TransferHandle)? in
            guard let timeout = state.callers[id]?.timeout, state.callers.values.allSatisfy({ $0.timeout <= timeout })
            else { return nil }
            return state.relay.handle
        }
        return handle?.goesOn(after: error) == true
    }

    func setPaused(_ isPaused: Bool, _ id: Int) {
        let mustDeliver = state.withLock { state in
            state.advance { course in
                guard isPaused else { return course.resume(id) }
                course.pause(id)
                return false
            }
        }
        apply()
        if mustDeliver { deliverSoon(to: id) }
    }

    /// Not on the caller's thread, which may be the main one, and not before it has returned.
    func deliverSoon(to id: Int) {
        DispatchQueue.global().async { self.deliver(to: id) }
    }

    func withRelay<Output>(_ body: (inout HandleRelay) -> Output) -> Output { state.withLock { body(&$0.relay) } }

    // MARK: Turns

    func waits() {
        for (_, caller) in setWaits(true) { caller.turn?.waits() }
    }

    func begins() throws {
        for (id, caller) in setWaits(false) { begin(id, caller.turn) }
        try checkCallers()
    }

    func waitsForDisk() {
        for (_, caller) in setWaitsForDisk(true) { caller.turn?.waitsForDisk() }
    }

    func leavesDisk() throws {
        for (id, caller) in setWaitsForDisk(false) {
            do { try caller.turn?.leavesDisk() } catch { leave(id, with: error, because: error) }
        }
        try checkCallers()
    }

    private func setWaitsForDisk(_ waits: Bool) -> [Int: Caller] {
        state.withLock { state in
            state.waitsForDisk = waits
            return state.callers
        }
    }

    /// Throws if the last caller has left, perhaps before the handle was there by which the engine would have known.
    private func checkCallers() throws {
        if state.withLock({ $0.relay.isCancelled }) { throw CancellationError() }
    }

    /// The turn of a caller has come. One that must not be sent any more leaves.
    func begin(_ id: Int, _ turn: (any TransferTurn)?) {
        do { try turn?.begins() } catch { leave(id, with: error, because: error) }
    }

    private func setWaits(_ waits: Bool) -> [(Int, Caller)] {
        state.withLock { state in
            state.course.setWaits(waits).compactMap { id in state.callers[id].map { (id, $0) } }
        }
    }
}

/// The handle by which one caller leaves a shared exchange.
struct SharedHandle: ExplainedHandle {
    let exchange: SharedExchange
    let id: Int
    /// Whether there are earlier events to deliver.
    let mustDeliver: Bool
    /// The caller's turn, to notify that the exchange already waits, or that its turn has come.
    let turn: (any TransferTurn)?
    /// Whether the exchange still waits.
    let mustWait: Bool
    /// The caller's turn, to notify that the exchange waits for a disk.
    let turnOnDisk: (any TransferTurn)?

    /// Notifies the caller of its turn, and delivers the pending events to it.
    func begin() {
        turnOnDisk?.waitsForDisk()
        turn?.waits()
        if !mustWait { exchange.begin(id, turn) }
        // All other callers may have paused.
        exchange.apply()
        if mustDeliver { exchange.deliverSoon(to: id) }
    }

    func cancel(because error: any Error) { exchange.leave(id, because: error) }
    func recover(from error: any Error) -> Bool { exchange.recover(id, from: error) }
    func pause() { exchange.setPaused(true, id) }
    func resume() { exchange.setPaused(false, id) }
}
