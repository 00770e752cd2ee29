import PiuPiu

/// One set of callbacks that a random program gave a node, and what they were called with, in order.
final class RandomProgramCallbacks: Sendable {
    enum Event: Sendable, Equatable {
        case update(TransferUpdate.Stage)
        case outcome(RandomProgramOutcome)
        case completion
    }

    /// The updates of a late node, in the order in which it makes them.
    static let stages: [TransferUpdate.Stage] = [.started, .sent, .responded]

    let node: Int
    let family: RandomProgram.CallbackFamily
    private let log = Locked<[Event]>([])
    private let completed = Gate()

    init(node: Int, family: RandomProgram.CallbackFamily) {
        self.node = node
        self.family = family
    }

    var events: [Event] { log.withLock { $0 } }

    /// Suspends until the first completion.
    func completion() async { await completed.opened() }

    /// Attaches the callbacks; each captures `token`.
    func attach(to future: ResponseFuture<Int>, holding token: Population.Member) {
        switch family {
        case .slots: attachSlots(to: future, holding: token)
        case .observers: attachObservers(to: future, holding: token)
        }
    }

    private func attachSlots(to future: ResponseFuture<Int>, holding token: Population.Member) {
        _ =
            future
            .updated { update in withExtendedLifetime(token) { self.note(.update(update.stage)) } }
            .success { value in withExtendedLifetime(token) { self.note(.outcome(.value(value))) } }
            .error { error in withExtendedLifetime(token) { self.note(.outcome(RandomProgramOutcome(error))) } }
            .cancellation { withExtendedLifetime(token) { self.note(.outcome(.cancelled)) } }
            .completion { withExtendedLifetime(token) { self.note(.completion) } }
    }

    private func attachObservers(to future: ResponseFuture<Int>, holding token: Population.Member) {
        future
            .onUpdate { update in withExtendedLifetime(token) { self.note(.update(update.stage)) } }
            .onSuccess { value in withExtendedLifetime(token) { self.note(.outcome(.value(value))) } }
            .onFailure { error in withExtendedLifetime(token) { self.note(.outcome(RandomProgramOutcome(error))) } }
            .onCancellation { withExtendedLifetime(token) { self.note(.outcome(.cancelled)) } }
            .onCompletion { withExtendedLifetime(token) { self.note(.completion) } }
    }

    private func note(_ event: Event) {
        log.withLock { $0.append(event) }
        if event == .completion { completed.open() }
    }
}
