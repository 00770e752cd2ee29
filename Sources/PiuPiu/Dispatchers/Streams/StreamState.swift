import Foundation

/// The decisions of a stream between a transfer that brings chunks and a reader that takes them.
///
/// A pure value that takes in what happened and answers what is to be done; ``StreamBuffer`` keeps it under a lock and
/// carries the answers out. What doesn't fit into memory is counted here and kept in a file.
struct StreamState<Waiter: Sendable>: Sendable {
    /// What becomes of a chunk that has arrived.
    enum Arrival: Sendable {
        /// It is kept in memory. These wait for it; when `pauses`, the transfer is to be held up.
        case kept(waking: [Waiter], pauses: Bool)
        /// It is to be added to the file, and then told of by ``spilled(_:)``.
        case spill
        /// Nobody wants it.
        case dropped
    }

    /// What a reader gets.
    enum Demand: Sendable {
        /// This chunk; when `resumes`, the transfer is to go on.
        case chunk(Data, resumes: Bool)
        /// What is in the file.
        case unspill
        /// It has to wait.
        case wait
        /// The end, or the error, which is reported once.
        case end((any Error)?)
    }

    /// At this many bytes in memory a transfer is held up.
    static var highWaterMark: Int { 256 << 10 }
    /// At this many it goes on.
    static var lowWaterMark: Int { 64 << 10 }
    /// Above this many a transfer that can't be held up goes to the file.
    static var memoryLimit: Int { 1 << 20 }

    private var chunks = FirstInFirstOut<Data>()
    private var bytes = 0
    private var bytesInFile = 0
    private var isSpilling = false
    private var isAbandoned = false
    private(set) var isPaused = false
    private var waiters: [Waiter] = []
    private var ending: (any Error)??

    /// Whether the transfer is over.
    var isOver: Bool { ending != nil }

    /// A chunk has arrived.
    mutating func arrived(_ chunk: Data) -> Arrival {
        guard ending == nil else { return .dropped }
        // In order: once the file is in use, everything goes there until it has been read.
        if isSpilling || !chunks.isEmpty && bytes + chunk.count > Self.memoryLimit {
            isSpilling = true
            return .spill
        }
        chunks.append(chunk)
        bytes += chunk.count
        let pauses = bytes >= Self.highWaterMark && !isPaused
        if pauses { isPaused = true }
        return .kept(waking: takeWaiters(), pauses: pauses)
    }

    /// Bytes have been added to the file. Returns who waits for them; `nil` if nobody is to read it any more.
    mutating func spilled(_ count: Int) -> [Waiter]? {
        guard !isAbandoned else { return nil }
        isSpilling = true
        bytesInFile += count
        return takeWaiters()
    }

    /// A reader asks for more.
    mutating func demand() -> Demand {
        if let chunk = chunks.popFirst() {
            bytes -= chunk.count
            let resumes = isPaused && bytes <= Self.lowWaterMark && bytesInFile == 0
            if resumes { isPaused = false }
            return .chunk(chunk, resumes: resumes)
        }
        if bytesInFile > 0 { return .unspill }
        if let error = ending {
            ending = .some(nil)
            return .end(error)
        }
        return .wait
    }

    /// A reader waits, unless something has come in the meantime: then it is returned.
    mutating func wait(_ waiter: Waiter) -> Waiter? {
        guard chunks.isEmpty, bytesInFile == 0, ending == nil else { return waiter }
        waiters.append(waiter)
        return nil
    }

    /// Bytes have been read from the file. Returns whether it is used up, and whether the transfer is to go on.
    mutating func unspilled(_ count: Int) -> (isUsedUp: Bool, resumes: Bool) {
        bytesInFile -= count
        guard bytesInFile == 0 else { return (false, false) }
        isSpilling = false
        defer { isPaused = false }
        return (true, isPaused)
    }

    /// The transfer is over. Returns whom to notify.
    mutating func finish(_ error: (any Error)?) -> [Waiter] {
        guard ending == nil else { return [] }
        ending = .some(error)
        return takeWaiters()
    }

    /// Nobody is to read any more; who does gets a `CancellationError`, unless all had been read.
    mutating func abandon() -> [Waiter] {
        isAbandoned = true
        if !chunks.isEmpty || bytesInFile > 0 || ending == nil { ending = .some(CancellationError()) }
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
