import Foundation

/// An observer of the outcome of a promise.
struct PromiseCallback<Value: Sendable>: Sendable {
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

    private struct Entry: Sendable {
        /// Identifies the callback, to remove it.
        let number: Int
        /// `nil` once it was called or removed: its captures don't outlive that.
        var callback: PromiseCallback<Value>?
    }

    /// How many callbacks are retained.
    var callbackCount: Int { entries.count - emptyCount }

    /// In the order of their numbers.
    private var entries: [Entry] = []
    /// How many entries have no callback any more.
    private var emptyCount = 0
    private var nextIndex = 0
    private var lastNumber = 0
    /// How many handlers have been enqueued on each queue and have not begun.
    private var waiting: [ObjectIdentifier: Int] = [:]

    /// Enqueues a callback; returns its number.
    mutating func append(
        on queue: OperationQueue?, _ run: @escaping @Sendable (Result<Value>) -> (any ResolvedPromise)?
    ) -> Int {
        lastNumber += 1
        entries.append(Entry(number: lastNumber, callback: PromiseCallback(queue: queue, run: run)))
        return lastNumber
    }

    /// Removes a callback that wasn't called yet. The cost doesn't grow with the number of the others.
    mutating func remove(_ number: Int) -> PromiseCallback<Value>? {
        guard let index = index(of: number), let callback = entries[index].callback.take() else { return nil }
        emptyCount += 1
        if emptyCount * 2 > entries.count {
            entries.removeAll { $0.callback == nil }
            emptyCount = 0
            // All before it were called.
            nextIndex = 0
        }
        return callback
    }

    private func index(of number: Int) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].number == number ? low : nil
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
        defer { entries = [] }
        return entries.isEmpty ? nil : entries.map(\.callback)
    }

    /// Dequeues the next callback, which the caller runs; `nil` when all were called.
    mutating func takeNext() -> PromiseCallback<Value>? {
        while nextIndex < entries.count {
            defer { nextIndex += 1 }
            if let callback = entries[nextIndex].callback.take() {
                emptyCount += 1
                return callback
            }
        }
        entries = []
        emptyCount = 0
        isDelivered = true
        return nil
    }
}
