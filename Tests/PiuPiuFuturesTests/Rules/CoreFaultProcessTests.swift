#if os(Linux) || os(macOS)
    import Foundation
    import PiuPiu
    import TestSupport
    import Testing

    /// In processes of their own: a failure would end the process, or show in its memory.
    @Suite("Faults of the core that end a process, or fill its memory", .timeLimit(.minutes(10)))
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
