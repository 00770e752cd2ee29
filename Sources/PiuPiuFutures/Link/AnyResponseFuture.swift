public import Synchronization

// Sound: the code that claimed the work of the link owns `parent`, `parentClaim`, and `stage` and `forwards` of the
// subclass. One atomic step grants the claim once; at the end `deinit` owns them. `storedRun` is set once, under a
// lock, before the state, and `deinit` releases it; it is read after an acquiring load of that state. So is the `stage`
// of a link that remembers its outcome, which never changes again. Nothing else reaches these properties meanwhile, and
// no access spans a call that could. So they need no check for overlapping accesses, which took a third of the time of
// a chain.

/// A future of any type of value: to send, to cancel, or to ask for its status.
///
/// Every ``ResponseFuture`` is one, and keeps the rules of <doc:Contract>. It is also the *link* of a chain: it knows
/// the future that it was made from.
///
/// ```swift
/// let running: [AnyResponseFuture] = [posts, users, avatar]
/// running.forEach { $0.cancel() }
/// ```
public class AnyResponseFuture: @unchecked Sendable {
    /// What the work of a link has done about its parent.
    enum ParentClaim {
        /// Nothing, or the parent has settled.
        case none
        /// It does the parent's work in place.
        case inPlace
        /// It has a token for the parent, which has a run of its own.
        case token(FutureRun.InterestID)
    }

    @exclusivity(unchecked) final var parent: AnyResponseFuture?

    /// The actor behind this future. Set once, before the state that announces it; read only after that state was seen.
    @exclusivity(unchecked) final var storedRun: FutureRun?

    // Together these four take one word.

    @exclusivity(unchecked) final var parentClaim = ParentClaim.none

    @usableFromInline final let state: Atomic<LinkState>

    @usableFromInline final let kind: WorkKind

    @usableFromInline final let chainKind: ChainKind

    @usableFromInline
    init(parent: consuming AnyResponseFuture?, kind: WorkKind, startsOnCaller: Bool = false) {
        self.kind = kind
        chainKind = ChainKind(of: kind, below: parent?.chainKind, startsOnCaller: startsOnCaller)
        self.parent = parent
        state = Atomic(.cold)
    }

    /// Another reference to the future of `run`, which does no work of its own.
    init(standingFor run: FutureRun, isPromise: Bool) {
        kind = isPromise ? .promise : .standIn
        chainKind = .other
        state = Atomic(.claimed)
        storedRun = run
    }

    /// The state of the future; from any thread.
    public final var status: FutureStatus { existingRun?.status ?? .created }

    /// Starts the future and delivers to its callbacks; a second call is a no-op (contract rule ONCE).
    ///
    /// A legacy action at the root of the chain runs before this returns, on the calling thread; everything else runs
    /// in the background. No callback runs inside `send()` (contract rule SYNC-START). The work inherits the priority
    /// and the task-local values of the caller. The future lives until its last callback has run (RETAIN).
    public func send() {
        // Overridden by the subclass, which knows the type of the value.
    }

    /// The same as ``send()``, under the other name of the legacy libraries.
    public final func start() { send() }

    /// Cancels the future, its work, and the started futures above it in which nobody else is interested.
    ///
    /// From any thread and at any time. Awaiters get `CancellationError`; the callbacks `cancellation` and
    /// `completion` run. A future cancelled before it starts never runs, and what it was made from stays as it was. A
    /// future that has settled keeps its outcome; only callbacks that have not been called with it yet are called with
    /// a cancellation (contract rules UP, EARLY, AFTER-CANCEL).
    public final func cancel() {
        if run.cancel() { disown() }
    }

    // MARK: The work, overridden by the subclass

    /// Whether the link only forwards its parent's value.
    var isForwarding: Bool { false }

    /// How many transforms of this link run inside each other.
    var depth: Int { 1 }

    /// Begins the work, which the caller has claimed for the link's run.
    ///
    /// - Parameter isHere: whether it may begin on the caller's stack, up to its first suspension; only where the
    ///   caller is on no actor (contract rule BACKGROUND).
    @usableFromInline
    func beginWork(isHere: Bool) {}

    /// Releases the work, which the caller has claimed.
    @usableFromInline
    func dropWork() {}

    /// Does the work, which the caller has claimed in place, and keeps the outcome for the link below.
    func settleInPlace(for head: FutureRun) async {}

    /// The same for synchronous work; false if it has to wait first for something that is now above it.
    func settleInPlaceNow(for head: FutureRun) -> Bool { true }
}

extension AnyResponseFuture {
    /// The actor behind this future, made when it is first observed.
    @usableFromInline
    package final var run: FutureRun { existingRun ?? makeRun() }

    /// The actor behind this future, if it has been observed.
    @usableFromInline
    package final var existingRun: FutureRun? {
        presentState.hasRun ? storedRun : nil
    }

    private final func makeRun() -> FutureRun {
        let fresh = FutureRun()
        return LockStripes.withLock(of: self) {
            if let storedRun { return storedRun }
            storedRun = fresh
            _ = advance(\.observing)
            return fresh
        }
    }

    @usableFromInline
    final var hasParent: Bool { parent != nil }

    /// Whether this link and all above it are ``WorkKind/synchronous``.
    @inlinable
    final var isSynchronousThroughout: Bool { chainKind == .synchronous }

    /// Whether this link or one above it has a legacy action, which runs on the thread that starts it.
    @inlinable
    final var startsOnCaller: Bool { chainKind == .startsOnCaller }

    /// The state of the link.
    @inlinable
    final var presentState: LinkState { state.load(ordering: .acquiring) }

    /// Claims the work for the link's run; false if somebody has claimed it.
    @usableFromInline
    final func claimForRun() -> Bool { advance(\.claiming) }

    /// Claims the work for the link's only child; false if it needs a run of its own.
    @usableFromInline
    final func claimInPlace() -> Bool { kind.canRunInPlace && advance(\.claimingInPlace) }

    /// Takes one step from the present state, if it is possible.
    @usableFromInline
    final func advance(_ step: (LinkState) -> LinkState?) -> Bool {
        var present = state.load(ordering: .acquiring)
        while let next = step(present) {
            if next == present { return true }
            let exchange = state.weakCompareExchange(
                expected: present, desired: next, ordering: .acquiringAndReleasing)
            if exchange.exchanged { return true }
            present = exchange.original
        }
        return false
    }

    /// Releases the work, unless it has been claimed.
    final func disown() {
        if claimForRun() { dropWork() }
    }

    /// Releases the parent; the run gives up a token for it. Only the caller that claimed this link may call this.
    @usableFromInline
    final func dropParent() {
        var parent = parent.take()
        if parent != nil { Trampoline.release(&parent) }
    }

    /// Releases the run. Its value may refer to a future, whose value refers to another one, and so on (contract rule
    /// DEPTH); most values don't. Only `deinit` may call this.
    final func dropRun() {
        guard storedRun != nil, !Trampoline.releasesHere({ storedRun = nil }) else { return }
        var run = storedRun.take()
        Trampoline.release(&run)
    }
}
