import Foundation

/// An observer that is notified of how a promise ended.
struct PromiseCallback<Value: Sendable>: Sendable {
    /// Tells one callback from another, for taking it back.
    let number: Int
    /// Where it has to run; `nil` for one that runs wherever the promise is resolved.
    let queue: OperationQueue?
    /// What it does; given back is a promise that it has resolved, whose own callbacks are to run next.
    let run: @Sendable (Result<Value>) -> (any ResolvedPromise)?
}

/// How far a promise has come, and which observers to notify.
struct PromiseState<Value: Sendable>: Sendable {
    /// How the promise ended; `nil` until then.
    private(set) var result: Result<Value>?
    /// Whether all observers have been notified of the end.
    private(set) var isDelivered = false

    /// How many have not been released.
    var callbackCount: Int { callbacks.count }

    // Those that have been called are `nil`: nothing that they captured outlives their call.
    private var callbacks: [PromiseCallback<Value>?] = []
    private var nextIndex = 0
    private var lastNumber = 0

    /// Lines a callback up, behind those that are there; gives its number.
    mutating func append(
        on queue: OperationQueue?, _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?
    ) -> Int {
        lastNumber += 1
        callbacks.append(PromiseCallback(number: lastNumber, queue: queue, run: run))
        return lastNumber
    }

    /// Takes a callback back that has not been called.
    mutating func remove(_ number: Int) -> PromiseCallback<Value>? {
        guard let index = callbacks.firstIndex(where: { $0?.number == number }) else { return nil }
        return callbacks.remove(at: index)
    }

    /// Ends the promise, unless it has ended; whether it did.
    mutating func resolve(_ result: Result<Value>) -> Bool {
        guard self.result == nil else { return false }
        self.result = result
        return true
    }

    /// The callbacks that nobody is going to call any more; `nil` if there are none.
    mutating func takeAll() -> [PromiseCallback<Value>?]? {
        defer { callbacks = [] }
        return callbacks.isEmpty ? nil : callbacks
    }

    /// The next callback in line, which is the caller's to run; `nil` when all have been called.
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
