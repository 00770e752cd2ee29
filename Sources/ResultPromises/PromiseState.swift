import Foundation

/// An observer of the outcome of a promise.
struct PromiseCallback<Value: Sendable>: Sendable {
    /// Identifies the callback, to remove it.
    let number: Int
    /// Where it runs; `nil` for the thread that resolves the promise.
    let queue: OperationQueue?
    /// Handles the outcome; returns a promise that it has resolved, whose callbacks run next.
    let run: @Sendable (Result<Value>) -> (any ResolvedPromise)?
}

/// The outcome of a promise, and the observers to notify.
struct PromiseState<Value: Sendable>: Sendable {
    /// The outcome; `nil` until then.
    private(set) var result: Result<Value>?
    /// Whether all observers were notified.
    private(set) var isDelivered = false

    /// How many callbacks are retained.
    var callbackCount: Int { callbacks.count }

    // A callback that was called is `nil`: its captures don't outlive the call.
    private var callbacks: [PromiseCallback<Value>?] = []
    private var nextIndex = 0
    private var lastNumber = 0
    /// How many handlers have been enqueued on each queue and have not begun.
    private var waiting: [ObjectIdentifier: Int] = [:]

    /// Enqueues a callback; returns its number.
    mutating func append(
        on queue: OperationQueue?, _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?
    ) -> Int {
        lastNumber += 1
        callbacks.append(PromiseCallback(number: lastNumber, queue: queue, run: run))
        return lastNumber
    }

    /// Removes a callback that wasn't called yet.
    mutating func remove(_ number: Int) -> PromiseCallback<Value>? {
        guard let index = callbacks.firstIndex(where: { $0?.number == number }) else { return nil }
        return callbacks.remove(at: index)
    }

    /// Ends the promise, unless it has ended; returns whether it did.
    mutating func resolve(_ result: Result<Value>) -> Bool {
        guard self.result == nil else { return false }
        self.result = result
        return true
    }

    /// Whether handlers are enqueued on a queue and have not begun.
    func isWaited(for queue: OperationQueue) -> Bool { waiting[ObjectIdentifier(queue)] != nil }

    /// A handler is about to be enqueued on a queue.
    mutating func beginWait(for queue: OperationQueue) { waiting[ObjectIdentifier(queue), default: 0] += 1 }

    /// A handler begins on its queue.
    mutating func endWait(for queue: OperationQueue) {
        let left = (waiting[ObjectIdentifier(queue)] ?? 1) - 1
        waiting[ObjectIdentifier(queue)] = left > 0 ? left : nil
    }

    /// Removes the callbacks that nothing will call any more; `nil` if there are none.
    mutating func takeAll() -> [PromiseCallback<Value>?]? {
        defer { callbacks = [] }
        return callbacks.isEmpty ? nil : callbacks
    }

    /// Dequeues the next callback, which the caller runs; `nil` when all were called.
    mutating func takeNext() -> PromiseCallback<Value>? {
        while nextIndex < callbacks.count {
            defer {
                callbacks[nextIndex] = nil
                nextIndex += 1
            }
            if let callback = callbacks[nextIndex] { return callback }
        }
        callbacks = []
        isDelivered = true
        return nil
    }
}
