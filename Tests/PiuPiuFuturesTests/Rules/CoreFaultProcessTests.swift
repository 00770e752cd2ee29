#if os(Linux) || os(macOS)
    import Foundation
    import PiuPiu
    import TestSupport
    import Testing

    /// An object that asks its future for its status when it is released.
    private final class CuriousObject: Sendable {
        private let future: AnyResponseFuture
        private let log: EventLog

        init(_ future: AnyResponseFuture, _ log: EventLog) {
            self.future = future
            self.log = log
        }

        deinit { log("released: \(future.status)") }

        /// A cancellation that carries the object.
        var error: URLError { URLError(.cancelled, userInfo: ["object": self]) }
    }

    /// A page that holds the future of the next one.
    private final class Page: Sendable {
        private let next: ResponseFuture<Page>?
        private let member: Population.Member

        init(before next: ResponseFuture<Page>?, _ member: Population.Member) {
            self.next = next
            self.member = member
        }
    }

    private struct PageError: Error {
        let page: Page
    }

    /// In processes of their own: a failure would end the process, or show in its memory.
    @Suite("Faults of the core that end a process, or fill its memory", .timeLimit(.oneProcessAtATime))
    struct CoreFaultProcessTests {
        /// Runs `body` on a thread with a stack as small as an app's secondary threads have.
        private static func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    body()
                    continuation.resume()
                }
                thread.stackSize = 512 * 1024
                thread.start()
            }
        }

        /// The closures through which one future can retain another.
        enum Nesting: String, CaseIterable, Sendable {
            case operation, synchronousOperation, action, transform, queuedTransform, flatMap, replace, callback, slot

            func around(_ inner: ResponseFuture<Int>) -> ResponseFuture<Int> {
                switch self {
                case .operation: ResponseFuture { try await inner.value }
                case .synchronousOperation: ResponseFuture { inner.status == .created ? 1 : 2 }
                case .action: ResponseFuture<Int> { (target: ResponseFuture<Int>) in inner.fulfill(target) }
                case .transform: ResponseFuture { 1 }.then { inner.status == .created ? $0 : 2 }
                case .queuedTransform: ResponseFuture { 1 }.then(on: .global()) { inner.status == .created ? $0 : 2 }
                case .flatMap: ResponseFuture { 1 }.flatMap { _ in inner }
                case .replace: ResponseFuture { 1 }.replace { _ in inner }
                case .callback: ResponseFuture { 1 }.onSuccess { _ in inner.send() }
                case .slot: ResponseFuture { 1 }.success { _ in inner.send() }
                }
            }
        }

        @Test(
            "DEPTH, UNSENT: thirty thousand futures nested through closures are released, or cancelled, unsent",
            .oneProcessAtATime,
            arguments: Nesting.allCases, [true, false])
        func nested(nesting: Nesting, isCancelled: Bool) async {
            await #expect(processExitsWith: .success) { [name = nesting.rawValue as String, isCancelled] in
                let nesting = try #require(Nesting(rawValue: name))
                await Self.onSmallStack {
                    var future = ResponseFuture(result: 0)
                    // A stack of 512 KB has 17 bytes for each, less than any frame.
                    for _ in 0..<30_000 { future = nesting.around(future) }
                    if isCancelled { future.cancel() }
                }
            }
        }

        /// How the future of a page gets its outcome.
        enum Settling: String, CaseIterable, Sendable {
            case operation, chain, error, promise, action

            fileprivate func future(of page: Page) async -> ResponseFuture<Page> {
                let future: ResponseFuture<Page>
                switch self {
                case .operation: future = ResponseFuture { page }
                case .chain: future = ResponseFuture { page }.then { $0 }
                case .error: future = ResponseFuture(error: PageError(page: page))
                case .promise:
                    let pending = ResponseFuture<Page>.pending()
                    pending.promise.succeed(with: page)
                    future = pending.future
                case .action: future = ResponseFuture<Page> { $0.succeed(with: page) }
                }
                _ = await future.result
                return future
            }
        }

        @Test(
            "DEPTH: thirty thousand settled futures that are nested through their outcomes are released",
            .oneProcessAtATime, arguments: Settling.allCases)
        func nestedOutcomes(settling: Settling) async {
            await #expect(processExitsWith: .success) { [name = settling.rawValue as String] in
                let settling = try #require(Settling(rawValue: name))
                let pages = Population(), first = Box<ResponseFuture<Page>>()
                for _ in 0..<30_000 {
                    first.value = await settling.future(of: Page(before: first.value, pages.member()))
                }
                await Self.onSmallStack { first.value = nil }
                await pages.extinct()
            }
        }

        /// Ends the process, which would wait for ever: for a lock that its thread holds already.
        private static func endIfHung() {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 120)
                exit(1)
            }
        }

        /// What callbacks that wait have the last reference to.
        enum Dropped: String, CaseIterable, Sendable {
            /// An error that one of two callbacks threw, until the other one has been called.
            case error
            /// The same, until the future is cancelled.
            case errorByCancellation
            /// An update, until the future is cancelled.
            case update

            /// Makes a future that ends with a cancellation, and sends it.
            func begin(_ log: EventLog) async {
                let promise = Box<ResponseFuture<Int>>(), future = ResponseFuture<Int> { promise.value = $0 }
                switch self {
                case .error:
                    future.onSuccess { _ in throw CuriousObject(future, log).error }.onSuccess { _ in }
                        .onCompletion { log("completion") }.send()
                    promise.value?.succeed(with: 1)
                case .errorByCancellation:
                    future
                        .onSuccess { @MainActor _ in
                            // Its turn comes before that of the second callback (contract rule TURN).
                            Task { @MainActor in future.cancel() }
                            throw CuriousObject(future, log).error
                        }
                        .onSuccess { @MainActor _ in }.onCompletion { log("completion") }.send()
                    promise.value?.succeed(with: 1)
                case .update:
                    future.updated { _ in }.completion { log("completion") }.send()
                    await MainQueue.blocked {
                        promise.value?.update(with: TransferUpdate(stage: .started).of(CuriousObject(future, log)))
                        future.cancel()
                    }
                }
                promise.value = nil
            }
        }

        @Test(
            "NEVER-HANG: what is dropped with a cancellation may use the future when it is released",
            .oneProcessAtATime, arguments: Dropped.allCases)
        func curiousObject(dropped: Dropped) async {
            await #expect(processExitsWith: .success) { [name = dropped.rawValue as String] in
                Self.endIfHung()
                let log = EventLog(), dropped = try #require(Dropped(rawValue: name))
                await dropped.begin(log)
                let events = await log.all(2).sorted()
                try #require(events == ["completion", "released: cancelled"])
            }
        }

        #if os(Linux)
            @Test(
                "RELEASE: dropped iterators of updates() leave nothing behind in a running future", .oneProcessAtATime)
            func abandonedIterators() async {
                await #expect(processExitsWith: .success) {
                    let promise = Box<ResponseFuture<Int>>(), future = ResponseFuture<Int> { promise.value = $0 }
                    future.send()
                    func listen(_ count: Int) {
                        for _ in 0..<count { _ = future.updates().makeAsyncIterator() }
                    }
                    listen(1_000)
                    let before = try ProcessFigures.now().residentKilobytes
                    listen(50_000)
                    let growth = try ProcessFigures.now().residentKilobytes - before
                    // Each once left some 370 B: 18 MB.
                    try #require(growth < 8_000, "\(growth) kB")
                    promise.value?.succeed(with: 1)
                }
            }

            /// How a future goes on with one like itself, after work that is done in a task.
            enum Recursion: String, CaseIterable, Sendable {
                case flatMap, recover

                /// - Parameter end: is called when all steps are done, and the future has not ended yet.
                func future(of steps: Int, end: @escaping @Sendable () -> Void) -> ResponseFuture<Void> {
                    guard steps > 0 else { return ResponseFuture { () async throws -> Void in end() } }
                    switch self {
                    case .flatMap:
                        return ResponseFuture { () async throws -> Void in }
                            .flatMap { _ in future(of: steps - 1, end: end) }
                    case .recover:
                        return ResponseFuture<Void> { () async throws -> Void in throw Mishap() }
                            .recover { _ in future(of: steps - 1, end: end) }
                    }
                }
            }

            @Test(
                "RELEASE: an endless recursion through flatMap or recover, whose work suspends, takes no memory",
                .oneProcessAtATime, arguments: Recursion.allCases)
            func endlessRecursion(recursion: Recursion) async {
                await #expect(processExitsWith: .success) { [name = recursion.rawValue as String] in
                    let recursion = try #require(Recursion(rawValue: name))
                    // What is allocated once.
                    try await recursion.future(of: 100) {}.value
                    let before = try ProcessFigures.now().allocatedKilobytes, after = Box<Int>()
                    try await recursion.future(of: 20_000) {
                        after.value = try? ProcessFigures.now().allocatedKilobytes
                    }.value
                    let growth = try #require(after.value) - before
                    // Each step once left some 115 B: 2,300 kB.
                    try #require(growth < 1_000, "\(growth) kB")
                }
            }

            @Test(
                "TURN: two hundred thousand updates that wait for a busy main actor take no memory", .oneProcessAtATime)
            func waitingUpdates() async {
                await #expect(processExitsWith: .success) {
                    let promise = Box<ResponseFuture<Int>>(), log = EventLog()
                    let future = ResponseFuture<Int> { promise.value = $0 }
                        .updated { _ in }.onUpdate { @MainActor _ in }.completion { log("completion") }
                    future.send()
                    let growth = try await MainQueue.blocked {
                        let before = try ProcessFigures.now().residentKilobytes
                        for number in 0..<200_000 {
                            let progress = TransferProgress(bytesReceived: Int64(number))
                            promise.value?.update(with: TransferUpdate(stage: .received, progress: progress))
                        }
                        return try ProcessFigures.now().residentKilobytes - before
                    }
                    promise.value?.succeed(with: 1)
                    await log.wait(for: 1)
                    try #require(growth < 8_000, "\(growth) kB")
                }
            }
        #endif
    }
#endif
