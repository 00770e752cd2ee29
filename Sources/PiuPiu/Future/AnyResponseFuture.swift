public import Synchronization

// Sound: `parent`, `runsParent`, `hasBegunParent` and `isForwarding`, like the `stage` of the subclass, belong to whoever
// claims the link, which an atomic operation grants to one party only, and at the end to `deinit`. `storedRun` is set
// once, under a lock, and read behind an acquiring load of the mark that is set after it; so is the `stage` of a link that
// remembers its outcome, which nobody changes any more.

/// A future whose kind of value does not matter: something to send, cancel, or ask for its status.
///
/// Every ``ResponseFuture`` is one. It is also the *link* of a chain: it knows the future that it was made from.
///
/// ```swift
/// let running: [AnyResponseFuture] = [posts, users, avatar]
/// running.forEach { $0.cancel() }
/// ```
public class AnyResponseFuture: @unchecked Sendable {
    /// Who runs the work of a link, and whether anybody watches.
    @usableFromInline
    struct Claim: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8

        @inlinable
        init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// There is an actor behind the future.
        @inlinable static var observed: Claim { Claim(rawValue: 1) }
        /// Its only child, or its only awaiter, runs it, as a part of its own work: nothing is remembered.
        @inlinable static var byChild: Claim { Claim(rawValue: 2) }
        /// It has a run of its own, which remembers the outcome for all who ask.
        @inlinable static var byRun: Claim { Claim(rawValue: 4) }
        /// Its only child, or its only awaiter, has run it.
        @inlinable static var consumed: Claim { Claim(rawValue: 8) }
        /// The outcome of its run can be read from the link itself, where it stays.
        @inlinable static var remembered: Claim { Claim(rawValue: 16) }
    }

    /// Whether the link stands for its parent, whose value is its own.
    @usableFromInline final var isForwarding = false

    /// How the work of a link is done.
    @usableFromInline
    enum WorkKind: Sendable {
        /// Without a suspension, once the parent's value is there, and that of a future which the link makes itself.
        case synchronous
        /// In a task, or as a part of the work of a future made from this one.
        case asynchronous
        /// The same, and the work ends promptly when the task that does it is cancelled.
        case prompt
        /// Like asynchronous work, with other futures beside the parent, which are started together with it.
        case joining
        /// Always by a run of its own: a legacy action, which settles its future from anywhere.
        case separate
        /// Not at all: this is another reference to the future of some run.
        case standIn
    }

    final var parent: AnyResponseFuture?

    /// The actor behind this future, set once, before ``Claim/observed`` is; read by those who have seen that mark.
    final var storedRun: FutureRun?

    @usableFromInline final let claim: Atomic<Claim.RawValue>

    /// Held for the moment in which a run is set, by all futures alike: that happens once in the life of a future, and
    /// not at all to the inner links of a chain. (`AtomicLazyReference` is opaque to the thread sanitizer, and slower.)
    private static let runCreation = Locked(())

    /// Whether the parent has been claimed for this link, to be run as a part of its work.
    final var runsParent = false

    /// Whether the parent, and all above it, have been begun or registered with for the work of this link.
    final var hasBegunParent = false

    @usableFromInline final let kind: WorkKind

    /// How many joins stand below each other here; only its remainders matter.
    @usableFromInline final let joinNesting: UInt16

    /// Whether this link and all above it are ``WorkKind/synchronous``.
    @usableFromInline final let isSynchronousThroughout: Bool

    /// Whether this link and all above it are ``WorkKind/synchronous`` or ``WorkKind/prompt``.
    @usableFromInline final let isPromptThroughout: Bool

    @usableFromInline
    init(parent: consuming AnyResponseFuture?, kind: WorkKind, besides sideNesting: UInt16 = 0) {
        self.kind = kind
        let nesting = max(parent?.joinNesting ?? 0, sideNesting)
        joinNesting = kind == .joining ? nesting &+ 1 : nesting
        isSynchronousThroughout = kind == .synchronous && parent?.isSynchronousThroughout ?? true
        isPromptThroughout = kind == .prompt || kind == .synchronous && parent?.isPromptThroughout ?? true
        self.parent = parent
        claim = Atomic(0)
    }

    /// Another reference to the future of `run`, which does no work of its own.
    init(standingFor run: FutureRun) {
        kind = .standIn
        joinNesting = 0
        isSynchronousThroughout = false
        isPromptThroughout = false
        claim = Atomic(Claim([.byRun, .observed]).rawValue)
        storedRun = run
    }

    deinit {
        var parent = parent.take()
        if parent != nil { Trampoline.letGo(&parent) }
    }

    /// Where the future is in its life; from any thread.
    public final var status: FutureStatus {
        if let existingRun { return existingRun.status }
        return marks.isEmpty ? .created : .started
    }

    /// Starts the future for the sake of its callbacks; a second call changes nothing (contract rule ONCE).
    ///
    /// A legacy action at the root of the chain runs before this returns, on the calling thread; everything else runs
    /// in the background. No callback runs inside `send()` (contract rule SYNC-START). The work inherits the priority
    /// and the task-local values of the caller.
    public final func send() {
        if run.send(), claimForRun() { launch() }
    }

    /// The same as ``send()``, under the other name that the legacy libraries gave it.
    public final func start() { send() }

    /// Cancels the future, its work, and each future it was made from that nobody else is interested in.
    ///
    /// From any thread and at any time. Awaiters get `CancellationError`; the callbacks `cancellation` and
    /// `completion` run. A future cancelled before it starts never runs. A future that has settled keeps its outcome;
    /// only callbacks that have not been told of it yet are told of a cancellation (contract rules UP, EARLY,
    /// AFTER-CANCEL).
    public final func cancel() {
        if run.cancel() { disown() }
    }

    // MARK: The work, which only the subclass knows

    /// Begins the work, which the caller has claimed for a run of its own.
    func beginWork() {}

    /// Lets go of the work, which the caller has claimed.
    @usableFromInline
    func dropWork() {}

    /// Claims the futures beside the parent, or registers with those that others see too.
    func claimSideFutures(for receiver: any UpdateReceiver) -> [FutureStart] { [] }

    /// Does the work, which the caller has claimed for the link below, and keeps the outcome for that link.
    func settleInPlace(for receiver: any UpdateReceiver) async {}

    /// The same for work that needs no suspension any more.
    func settleInPlace(in context: inout WorkContext) throws(MustWait) {}
}

extension AnyResponseFuture {
    /// The actor behind this future, made when it is first observed.
    @usableFromInline
    final var run: FutureRun { existingRun ?? makeRun() }

    /// The actor behind this future, if somebody observes it.
    @usableFromInline
    final var existingRun: FutureRun? {
        marks.contains(.observed) ? storedRun : nil
    }

    @inlinable
    final var marks: Claim { Claim(rawValue: claim.load(ordering: .acquiring)) }

    private final func makeRun() -> FutureRun {
        let fresh = FutureRun()
        let (run, isConsumed) = Self.runCreation.withLock { _ in
            if let storedRun { return (storedRun, false) }
            storedRun = fresh
            // From here on whoever runs this link in place tells the actor of the outcome.
            return (fresh, mark(.observed).contains(.consumed))
        }
        // That is over: somebody made a weak reference to the link a strong one after its only child had let go of it,
        // and nobody remembers the outcome.
        if isConsumed { run.settle(.cancelled) }
        return run
    }

    /// Claims the link for a run of its own; false if it is already being run.
    @usableFromInline
    final func claimForRun() -> Bool {
        mark(.byRun).isDisjoint(with: [.byChild, .byRun, .consumed])
    }

    /// Whether the work may be a part of that of another future.
    ///
    /// A join runs its parts in child tasks, which the system cancels one inside the other: of joins that stand below
    /// each other, every sixty-fourth has a task of its own (contract rule DEPTH).
    private final var canRunInPlace: Bool {
        switch kind {
        case .synchronous, .asynchronous, .prompt: true
        case .joining: !joinNesting.isMultiple(of: 64)
        case .separate, .standIn: false
        }
    }

    /// Claims the link for the run of its only child, or for its only awaiter; false if it needs a run of its own.
    @usableFromInline
    final func claimForChild() -> Bool {
        canRunInPlace
            && claim.compareExchange(
                expected: 0, desired: Claim.byChild.rawValue, ordering: .acquiringAndReleasing
            ).exchanged
    }

    /// Adds marks, and says which there were.
    @inlinable
    final func mark(_ marks: Claim) -> Claim {
        Claim(rawValue: claim.bitwiseOr(marks.rawValue, ordering: .sequentiallyConsistent).oldValue)
    }

    /// Registers a child that has started, before it waits; true if the caller must launch this future.
    @usableFromInline
    final func reserve(for child: any UpdateReceiver) -> Bool {
        if case .launch = run.join(child: child, isReserved: true) { claimForRun() } else { false }
    }

    /// Claims every link above that only this chain can reach, starts the futures above that others see too, and
    /// begins the work of all of them, the uppermost first.
    ///
    /// A loop, not a recursion, and on the caller's thread, so that a legacy action runs there (contract rules DEPTH
    /// and SYNC-START). To be called by whoever has claimed this link.
    @usableFromInline
    final func launch() {
        beginFuturesAbove(for: run)
        beginWorkUnlessSettled()
    }

    /// Begins the work, unless the work of a future that began before has settled this one (contract rule EARLY).
    private final func beginWorkUnlessSettled() {
        run.status.isComplete ? letGoOfWork() : beginWork()
    }

    /// Cancels a future that a cancelled join has not started.
    @usableFromInline
    final func cancelFromAbove() {
        Trampoline.cancel(self)
    }

    /// Lets go of the work, and cancels what only it wanted, unless the work has begun.
    final func disown() {
        if claimForRun() { letGoOfWork() }
    }

    /// The same for whoever has claimed this link.
    @usableFromInline
    final func letGoOfWork() {
        dropWork()
        cancelFuturesAbove()
    }

    /// The part of ``launch()`` above this link, for the sake of `receiver`.
    @usableFromInline
    final func beginFuturesAbove(for receiver: any UpdateReceiver) {
        FutureStart(partOf: receiver, self)?.begin()
    }

    /// Begins futures that have been claimed, or reserved, and all above them.
    static func begin(_ starts: [FutureStart]) {
        var pending = starts
        var toBegin: [AnyResponseFuture] = []
        while let start = pending.popLast() {
            var next: FutureStart? = start
            while let start = next {
                if start.hasOwnRun { toBegin.append(start.future) }
                next = start.future.claimParent(for: start.receiver)
                guard start.future.kind == .joining else { continue }
                // The last to be looked at is the first to begin.
                if let parent = next.take() { pending.append(parent) }
                pending += start.future.claimSideFutures(for: start.receiver)
            }
        }
        for future in toBegin.reversed() { future.beginWorkUnlessSettled() }
    }

    /// Claims the parent for the work of this link, or registers with it if others see it too.
    private final func claimParent(for receiver: any UpdateReceiver) -> FutureStart? {
        let isUnseen = isKnownUniquelyReferenced(&parent)
        guard let parent, !hasBegunParent else { return nil }
        hasBegunParent = true
        if runsParent || isUnseen && parent.claimForChild() {
            runsParent = true
            return FutureStart(future: parent, receiver: receiver, hasOwnRun: false)
        }
        return parent.reserve(for: receiver) ? FutureStart(future: parent, receiver: parent.run, hasOwnRun: true) : nil
    }

    /// Has the synchronous links that are run in place with this one begin what is above them once more, when they are
    /// given to a run of their own: their inner futures may stand there by then.
    @usableFromInline
    final func unmarkBegunParents() {
        var link = self
        link.hasBegunParent = false
        while link.runsParent, let parent = link.parent, parent.kind == .synchronous {
            parent.hasBegunParent = false
            link = parent
        }
    }

    /// Cancels those futures above that only this chain can reach; to be called by whoever has claimed this link.
    final func cancelFuturesAbove() {
        var link = self
        while isKnownUniquelyReferenced(&link.parent), let parent = link.parent.take() {
            guard parent.run.cancel(), parent.claimForRun() else { break }
            parent.dropWork()
            link = parent
        }
        link.parent = nil
    }
}
