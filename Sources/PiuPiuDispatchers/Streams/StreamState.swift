package import Foundation

/// The decisions of a stream between a transfer that delivers chunks and a reader that consumes them.
///
/// A pure value that makes the decisions; ``StreamBuffer`` keeps it under a lock and carries them out. Bytes that don't
/// fit into memory are counted here and stored in a file.
package struct StreamState<Waiter: Sendable>: Sendable {
    /// The decision about a chunk that has arrived.
    package enum Arrival: Sendable {
        /// It is kept in memory. `waking` are the waiters to resume; `pauses` means that the transfer is paused.
        case kept(waking: [Waiter], pauses: Bool)
        /// The caller adds it to the file, then calls ``spilled(_:)``. `pauses` means that the transfer is paused.
        case spill(pauses: Bool)
        /// The stream is over.
        case dropped
    }

    /// The answer to a reader.
    package enum Demand: Sendable {
        /// This chunk; `resumes` means that the transfer is resumed.
        case chunk(Data, resumes: Bool)
        /// The next part of the file.
        case unspill
        /// The reader waits.
        case wait
        /// The end, or the error, which is reported once.
        case end((any Error)?)
    }

    /// At this many bytes in memory the transfer is paused.
    static var highWaterMark: Int { 256 << 10 }
    /// At this many it is resumed.
    static var lowWaterMark: Int { 64 << 10 }
    /// Above this many the chunks of a transfer without back-pressure go to the file.
    static var memoryLimit: Int { 1 << 20 }

    private var chunks = FirstInFirstOut<Data>()
    private var bytes = 0
    private var bytesInFile: Int64 = 0
    private var isSpilling = false
    /// Whether the reader is gone, or a scope has cancelled the body.
    private(set) var isAbandoned = false
    package private(set) var isPaused = false
    private var waiters: [Waiter] = []
    private var ending: (any Error)??
    /// Whether the reader has got the end or the error, or is gone.
    package private(set) var isRead = false
    private var measured: TransferMetrics?

    package init() {}

    /// Whether the transfer is over.
    var isOver: Bool { ending != nil }

    /// The measurements of the transfer, once it is complete.
    var metrics: TransferMetrics? { isOver ? measured : nil }

    /// The transfer was measured, and is about to finish.
    mutating func setMetrics(_ metrics: TransferMetrics) {
        if !isOver { measured = metrics }
    }

    /// A chunk has arrived.
    package mutating func arrived(_ chunk: Data) -> Arrival {
        guard ending == nil else { return .dropped }
        // To keep the order, once the file is in use, everything goes there until it was read.
        if isSpilling || !chunks.isEmpty && bytes + chunk.count > Self.memoryLimit {
            isSpilling = true
            return .spill(pauses: pause())
        }
        chunks.append(chunk)
        bytes += chunk.count
        let pauses = bytes >= Self.highWaterMark && pause()
        return .kept(waking: takeWaiters(), pauses: pauses)
    }

    /// Returns whether the transfer is to be paused, which it wasn't before.
    private mutating func pause() -> Bool {
        defer { isPaused = true }
        return !isPaused
    }

    /// Bytes have been added to the file. Returns the waiters to resume; `nil` if the reader is gone.
    package mutating func spilled(_ count: Int) -> [Waiter]? {
        guard !isAbandoned else { return nil }
        isSpilling = true
        bytesInFile += Int64(count)
        return takeWaiters()
    }

    /// A reader asks for more.
    package mutating func demand() -> Demand {
        if let chunk = chunks.popFirst() {
            bytes -= chunk.count
            let resumes = isPaused && bytes <= Self.lowWaterMark && !isSpilling
            if resumes { isPaused = false }
            return .chunk(chunk, resumes: resumes)
        }
        if bytesInFile > 0 { return .unspill }
        if let error = ending {
            ending = .some(nil)
            isRead = true
            return .end(error)
        }
        return .wait
    }

    /// Adds a waiting reader, or returns it if something has arrived in the meantime.
    mutating func wait(_ waiter: Waiter) -> Waiter? {
        guard chunks.isEmpty, bytesInFile == 0, ending == nil else { return waiter }
        waiters.append(waiter)
        return nil
    }

    /// Bytes have been read from the file. Returns whether all of it was read, and whether the transfer is resumed.
    package mutating func unspilled(_ count: Int) -> (isUsedUp: Bool, resumes: Bool) {
        bytesInFile -= Int64(count)
        guard bytesInFile == 0 else { return (false, false) }
        isSpilling = false
        defer { isPaused = false }
        return (true, isPaused)
    }

    /// The transfer is over. Returns the waiters to resume.
    package mutating func finish(_ error: (any Error)?) -> [Waiter] {
        guard ending == nil else { return [] }
        ending = .some(error)
        if error != nil { measured = nil }
        return takeWaiters()
    }

    /// The reader is gone. One that waits gets a `CancellationError`, unless everything had been read.
    package mutating func abandon() -> [Waiter] {
        isAbandoned = true
        if !isOver { measured = nil }
        // The reader may have every byte, and not know yet that there are no more.
        if !isRead { ending = .some(CancellationError()) }
        isRead = true
        chunks.removeAll()
        bytes = 0
        bytesInFile = 0
        return takeWaiters()
    }

    private mutating func takeWaiters() -> [Waiter] {
        guard !waiters.isEmpty else { return [] }
        defer { waiters = [] }
        return waiters
    }
}
