/// Relays calls to an exchange whose own handle may come later: they are kept, and each act is performed once.
///
/// A pure value that returns, under a lock, what to do; ``Act/perform()`` is called outside.
struct HandleRelay: Sendable {
    /// An act on the handle.
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

    /// Whether the body is paused.
    var isHeld = false

    private(set) var handle: (any TransferHandle)?
    private var cause: (any Error)?
    private(set) var isOver = false
    private var isHeldBelow = false
    private var isActing = false

    /// Whether the exchange was cancelled.
    var isCancelled: Bool { cause != nil }

    /// Sets the handle.
    mutating func attach(_ handle: any TransferHandle) {
        guard !isOver else { return }
        self.handle = handle
    }

    /// Cancels the exchange.
    mutating func cancel(because error: any Error) {
        if cause == nil { cause = error }
    }

    /// The exchange goes on with another handle, to be attached later. Returns the old one, to be released outside the
    /// lock. An act on that may still be in progress.
    mutating func goOn() -> (any TransferHandle)? {
        isHeldBelow = false
        return handle.take()
    }

    /// The exchange is over. Returns the handle, to be released outside the lock.
    mutating func end() -> (any TransferHandle)? {
        isOver = true
        return handle.take()
    }

    /// The next act. One at a time, so that the last one takes effect last; ``hasActed()`` must follow.
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

    /// The act was performed.
    mutating func hasActed() {
        isActing = false
    }
}
