import PiuPiu
import TestSupport

/// One set of callbacks of a node, and their calls, in order.
final class RandomProgramCallbacks: Sendable {
    enum Event: Sendable, Equatable {
        case update(RandomProgramUpdate)
        case outcome(RandomProgramOutcome)
        case completion
        /// A call of `cancel()` on the main actor has returned.
        case cancelReturned
    }

    private struct State: Sendable {
        var events: [Event] = []
        var isAttached = false
        var isAttachedBeforeStart = false
        var isMadeInOneTurn = false
        /// Calls that found their own future released, though it was sent.
        var losses: [Event] = []
    }

    let node: Int
    let family: RandomProgram.CallbackFamily
    private let deeds: RandomProgramDeeds
    private let state = Locked(State())
    private let completed = Gate()

    init(node: Int, family: RandomProgram.CallbackFamily, deeds: RandomProgramDeeds) {
        self.node = node
        self.family = family
        self.deeds = deeds
    }

    var events: [Event] { state.withLock { $0.events } }
    /// The calls in which the future was already released.
    var losses: [Event] { state.withLock { $0.losses } }
    /// Whether all of them are attached.
    var isAttached: Bool { state.withLock { $0.isAttached } }
    /// Whether they were attached before the future started, and so before its first update.
    var isAttachedBeforeStart: Bool { state.withLock { $0.isAttachedBeforeStart } }
    /// Whether all updates were made, and the future settled, in one turn of the main actor.
    var isMadeInOneTurn: Bool { state.withLock { $0.isMadeInOneTurn } }
    var isCompleted: Bool { events.contains(.completion) }

    /// Suspends until the first completion.
    func completion() async { await completed.opened() }

    /// Call it in the main actor's turn in which they were attached.
    func noteEndOfTurn(_ future: ResponseFuture<Int>) {
        let isComplete = future.status.isComplete
        state.withLock { $0.isMadeInOneTurn = $0.isAttachedBeforeStart && isComplete }
    }

    /// Call it on the main actor.
    func noteCancelReturned() { state.withLock { $0.events.append(.cancelReturned) } }

    /// Attaches the callbacks; each captures `token`.
    func attach(to future: ResponseFuture<Int>, holding token: Population.Member) {
        let note = { @Sendable [self, reference = Weak(future)] (event: Event) in
            withExtendedLifetime(token) { self.note(event, reference) }
        }
        switch family {
        case .slots: Self.attachSlots(to: future, note)
        case .observers: Self.attachObservers(to: future, note)
        case .mainObservers: Self.attachMainObservers(to: future, note)
        }
        let status = future.status
        state.withLock { state in
            state.isAttached = true
            state.isAttachedBeforeStart = status == .created
        }
    }

    private static func attachSlots(to future: ResponseFuture<Int>, _ note: @escaping @Sendable (Event) -> Void) {
        _ =
            future
            .updated { note(.update(RandomProgramUpdate($0))) }
            .success { note(.outcome(.value($0))) }
            .error { note(.outcome(RandomProgramOutcome($0))) }
            .cancellation { note(.outcome(.cancelled)) }
            .completion { note(.completion) }
    }

    private static func attachObservers(to future: ResponseFuture<Int>, _ note: @escaping @Sendable (Event) -> Void) {
        _ =
            future
            .onUpdate { note(.update(RandomProgramUpdate($0))) }
            .onSuccess { note(.outcome(.value($0))) }
            .onFailure { note(.outcome(RandomProgramOutcome($0))) }
            .onCancellation { note(.outcome(.cancelled)) }
            .onCompletion { note(.completion) }
    }

    private static func attachMainObservers(
        to future: ResponseFuture<Int>, _ note: @escaping @Sendable (Event) -> Void
    ) {
        _ =
            future
            .onUpdate { @MainActor in note(.update(RandomProgramUpdate($0))) }
            .onSuccess { @MainActor in note(.outcome(.value($0))) }
            .onFailure { @MainActor in note(.outcome(RandomProgramOutcome($0))) }
            .onCancellation { @MainActor in note(.outcome(.cancelled)) }
            .onCompletion { @MainActor in note(.completion) }
    }

    private func note(_ event: Event, _ reference: Weak<ResponseFuture<Int>>) {
        // In this order: a future sent before this callback began must still exist (contract rule RETAIN).
        let isLost = deeds.isSent(node) && reference.object == nil
        state.withLock { state in
            state.events.append(event)
            if isLost { state.losses.append(event) }
        }
        if event == .completion { completed.open() }
    }
}
