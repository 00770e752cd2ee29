/// Bounds the stack depth of synchronous work (contract rule DEPTH), and knows whether it is over.
@usableFromInline
struct WorkContext {
    /// How many transforms may run inside each other before the links above them run separately.
    @inlinable static var depthLimit: Int { 100 }

    /// How many transforms the work of one link may have: it is never divided.
    @inlinable static var transformLimit: UInt8 { 50 }

    /// How many transforms run inside each other now.
    @usableFromInline var depth = 0

    // Sound: a context lives within one call, whose caller retains the run as its argument.

    /// The future that the work is for; `nil` if nobody but the awaiter can reach it. Not retained: each step asks it.
    @usableFromInline let head: Unmanaged<FutureRun>?

    @inlinable
    init() {
        head = nil
    }

    @inlinable
    init(for head: FutureRun) {
        self.head = .passUnretained(head)
    }

    /// Throws a `CancellationError` if the work is over, before each step of it: its task is cancelled, or will be as
    /// soon as the thread that cancels the future has called the handlers of other tasks (contract rule UP).
    @inlinable
    func checkWork() throws {
        if Task.isCancelled || head?._withUnsafeGuaranteedRef({ $0.hasSettled }) == true { throw CancellationError() }
    }
}
