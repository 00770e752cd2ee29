/// What is asked of an exchange whose own handle may come later: it is remembered, and each thing is asked for once.
///
/// A pure value that answers what is to be done, under a lock; ``Act/perform()`` is called outside.
struct HandleRelay: Sendable {
    /// What is to be asked of the handle.
    enum Act: Sendable {
        case cancel(any TransferHandle, because: any Error)
        case pause(any TransferHandle)
        case resume(any TransferHandle)

        func perform() {
            switch self {
            case .cancel(let handle, let error): handle.giveUp(because: error)
            case .pause(let handle): handle.pause()
            case .resume(let handle): handle.resume()
            }
        }
    }

    /// Whether no more of the body is wanted for now.
    var isHeld = false

    private var handle: (any TransferHandle)?
    private var cause: (any Error)?
    private(set) var isOver = false
    private var isHeldBelow = false
    private var isActing = false

    /// Whether the exchange was given up.
    var isCancelled: Bool { cause != nil }

    /// The handle is there.
    mutating func attach(_ handle: any TransferHandle) {
        guard !isOver else { return }
        self.handle = handle
    }

    /// The exchange is to end.
    mutating func cancel(because error: any Error) {
        if cause == nil { cause = error }
    }

    /// The exchange is over. Returns the handle, to be released outside the lock.
    mutating func end() -> (any TransferHandle)? {
        isOver = true
        return handle.take()
    }

    /// The next thing to ask for, one at a time, so that the last one is what holds; ``hasActed()`` follows.
    mutating func next() -> Act? {
        guard let handle, !isActing else { return nil }
        if let cause {
            self.handle = nil
            return .cancel(handle, because: cause)
        }
        guard isHeld != isHeldBelow else { return nil }
        isHeldBelow = isHeld
        isActing = true
        return isHeld ? .pause(handle) : .resume(handle)
    }

    /// What was asked for is done.
    mutating func hasActed() {
        isActing = false
    }
}
