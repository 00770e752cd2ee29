import Foundation
import LoopbackServer
import Observation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A loader for interfaces", .timeLimit(.minutes(10)))
@MainActor
struct FutureLoaderTests {
    /// Makes futures, and keeps the promises that settle them, in order.
    private final class Loads: Sendable {
        private let promises = Locked<[ResponseFuture<Int>]>([])

        var count: Int { promises.withLock { $0.count } }

        func make() -> ResponseFuture<Int> {
            let (future, promise) = ResponseFuture<Int>.pending()
            promises.withLock { $0.append(promise) }
            return future
        }

        subscript(place: Int) -> ResponseFuture<Int> { promises.withLock { $0[place] } }
    }

    private let loads = Loads()

    private func loader(value: Int? = nil) -> FutureLoader<Int> {
        FutureLoader(value: value) { [loads] in loads.make() }
    }

    /// Does some work, and suspends until the state is about to change.
    private func change(of loader: FutureLoader<Int>, _ work: () -> Void) async {
        let hasChanged = Gate()
        withObservationTracking {
            _ = loader.state
        } onChange: {
            hasChanged.open()
        }
        work()
        await hasChanged.opened()
    }

    @Test("load() loads once, and again only after a failure; reload() always")
    func load() async {
        let loader = loader()
        #expect(loader.state == .idle && loads.count == 0)
        loader.load()
        loader.load()
        #expect(loader.isLoading && loads.count == 1)
        loads[0].succeed(with: 1)
        await loader.finished()
        #expect(loader.state == .loaded(1) && loader.value == 1)
        loader.load()
        #expect(loads.count == 1)
        loader.reload()
        #expect(loader.state == .loading(TransferProgress(), value: 1) && loads.count == 2)
        loads[1].fail(with: Mishap())
        await loader.finished()
        #expect(loader.state == .failed(Mishap(), value: 1) && loader.error is Mishap && loader.value == 1)
        loader.load()
        #expect(loader.isLoading && loads.count == 3)
        loads[2].succeed(with: 3)
        await loader.finished()
        #expect(loader.state == .loaded(3))
    }

    @Test("A value from elsewhere is there before the first load")
    func cached() {
        let loader = loader(value: 7)
        loader.load()
        #expect(loader.state == .loaded(7) && loads.count == 0)
        loader.reload()
        #expect(loader.state == .loading(TransferProgress(), value: 7))
    }

    @Test("A newer load replaces an older one, whose answer never takes its place", arguments: [true, false])
    func newest(settlesOldFirst: Bool) async {
        let loader = loader()
        loader.reload()
        let old = loads[0]
        // Another awaiter keeps it in flight.
        let others = Awaiting(now: old)
        loader.reload()
        if settlesOldFirst { old.succeed(with: 1) }
        loads[1].succeed(with: 2)
        await loader.finished()
        old.succeed(with: 1)
        #expect(await others.ending == "value 1")
        await loader.finished()
        #expect(loader.state == .loaded(2))
    }

    @Test("A newer load cancels an older one without other awaiters")
    func givesUpOlder() async {
        let hasStarted = Gate(), isCancelled = Gate()
        let old = ResponseFuture { () async throws in
            hasStarted.open()
            try await Gate().passUnlessCancelled()
            return 1
        }.onCancellation { isCancelled.open() }
        let loader = FutureLoader { old }
        loader.load()
        await hasStarted.opened()
        loader.reload { [loads] in loads.make() }
        await isCancelled.opened()
        loads[0].succeed(with: 2)
        await loader.finished()
        #expect(loader.state == .loaded(2) && old.status == .cancelled)
    }

    @Test("SHARED: the loader leaves a load as an awaiter does", arguments: [true, false])
    func shared(hasOthers: Bool) async {
        let hasStarted = Gate(), gate = Gate(), isCancelled = Gate()
        let future = ResponseFuture { () async throws in
            hasStarted.open()
            try await gate.passUnlessCancelled()
            return 1
        }.onCancellation { isCancelled.open() }
        let loader = FutureLoader { future }
        loader.load()
        await hasStarted.opened()
        let others = hasOthers ? Awaiting(now: future) : nil
        loader.cancel()
        #expect(loader.state == .idle)
        if let others {
            #expect(future.status == .started)
            gate.open()
            #expect(await others.ending == "value 1")
        } else {
            await isCancelled.opened()
            #expect(future.status == .cancelled)
        }
    }

    @Test("cancel(), and a cancellation of the load, restore the state before it", arguments: [true, false])
    func cancellation(byUser: Bool) async {
        let loader = loader(value: 1)
        loader.reload()
        await change(of: loader) { byUser ? loader.cancel() : loads[0].cancel() }
        await loader.finished()
        #expect(loader.state == .loaded(1))
        loader.cancel()
        #expect(loader.state == .loaded(1))
    }

    @Test("The release of the loader cancels its load")
    func end() async {
        let isCancelled = Gate(), hasStarted = Gate(), gate = Gate()
        var loader: FutureLoader<Int>? = FutureLoader {
            ResponseFuture { () async throws in
                hasStarted.open()
                try await gate.passUnlessCancelled()
                return 1
            }.onCancellation { isCancelled.open() }
        }
        loader?.load()
        await hasStarted.opened()
        let reference = loader.map { Weak($0) }
        loader = nil
        #expect(reference?.object == nil)
        await isCancelled.opened()
    }

    @Test("Observers are notified of each change, and of nothing else")
    func observation() async {
        let begun = Box<ResponseFuture<Int>>(), hasBegun = Gate()
        let loader = FutureLoader {
            ResponseFuture<Int> { (promise: ResponseFuture<Int>) in
                begun.value = promise
                hasBegun.open()
            }
        }
        await change(of: loader) { loader.load() }
        await hasBegun.opened()
        let half = TransferProgress(bytesReceived: 1, bytesExpectedToReceive: 2)
        await change(of: loader) { begun.value?.update(with: TransferUpdate(stage: .received, progress: half)) }
        #expect(loader.state == .loading(half, value: nil) && loader.progress == half)
        await change(of: loader) { begun.value?.succeed(with: 1) }
        await loader.finished()
        #expect(loader.state == .loaded(1) && loader.progress == nil)
        let changes = Counter()
        withObservationTracking {
            _ = loader.value
        } onChange: {
            changes.increment()
        }
        begun.value?.update(with: TransferUpdate(stage: .received))
        loader.load()
        loader.cancel()
        await loader.finished()
        #expect(changes.value == 0)
    }

    @Test("finished() waits for the newest load, and ends with its task")
    func finished() async {
        let loader = loader()
        await loader.finished()
        loader.reload()
        let waiting = Awaiting(running: { @MainActor in
            await loader.finished()
            return "\(loader.value ?? 0)"
        })
        let leaving = Awaiting(running: { @MainActor in
            await loader.finished()
            return "\(Task.isCancelled)"
        })
        loader.reload()
        leaving.cancel()
        #expect(await leaving.ending == "value true")
        loads[1].succeed(with: 2)
        #expect(await waiting.ending == "value 2")
    }

    @Test("A closure that cancels the load, or begins another one, has the last word", arguments: [true, false])
    func reentrant(cancels: Bool) async {
        let own = Box<FutureLoader<Int>>(), begun = Counter()
        let loader = FutureLoader<Int> {
            if cancels { own.value?.cancel() } else { own.value?.reload { ResponseFuture { () async in 2 } } }
            return ResponseFuture { () async in
                begun.increment()
                return 1
            }
        }
        own.value = loader
        await loader.load().finished()
        #expect(loader.value == (cancels ? nil : 2) && !loader.isLoading)
        #expect(begun.value == 0)
        own.value = nil
    }

    @Test("An observer that begins another load has the last word, and the load before it is cancelled")
    func reentrantObserver() async {
        let loader = loader(), changes = Counter()
        withObservationTracking {
            _ = loader.state
        } onChange: {
            // It is called again for the change that it makes.
            guard changes.increment() == 1 else { return }
            MainActor.assumeIsolated { _ = loader.reload() }
        }
        loader.load()
        #expect(loads.count == 2)
        loads[1].succeed(with: 2)
        await loader.finished()
        #expect(loader.state == .loaded(2))
        #expect(loads[0].status == .created, "A task that nobody can cancel any more would have started it.")
    }

    @Test("Work that begins another load when it is cancelled has the last word", arguments: [true, false])
    func reentrantCancellation(byUser: Bool) async {
        let own = Box<FutureLoader<Int>>(), isRunning = Gate(), never = Gate()
        let loader = FutureLoader<Int> {
            ResponseFuture { () async in
                await withTaskCancellationHandler {
                    isRunning.open()
                    try? await never.passUnlessCancelled()
                } onCancel: {
                    MainActor.assumeIsolated { _ = own.value?.reload { ResponseFuture { () async in 2 } } }
                }
                return 1
            }
        }
        own.value = loader
        loader.load()
        await isRunning.opened()
        if byUser { loader.cancel() } else { loader.reload() }
        await loader.finished()
        #expect(loader.state == .loaded(2))
        own.value = nil
    }

    /// A value, or a part of a closure, whose deinit uses the loader.
    private final class Former: Sendable {
        private let loader: Box<FutureLoader<Former>>
        private let log: EventLog

        init(_ loader: Box<FutureLoader<Former>>, _ log: EventLog) {
            (self.loader, self.log) = (loader, log)
        }

        deinit {
            guard MainQueue.isCurrent else { return log("elsewhere") }
            let (loader, log) = (loader, log)
            MainActor.assumeIsolated { log("\(loader.value?.isLoading == true)") }
        }
    }

    @Test("The deinit of a former value may use the loader")
    func deinitUsesLoader() async {
        let own = Box<FutureLoader<Former>>(), log = EventLog()
        let loader = FutureLoader { ResponseFuture { () async in Former(own, log) } }
        own.value = loader
        await loader.load().finished()
        await loader.reload().finished()
        #expect(await log.all(1) == ["false"])
        own.value = nil
    }

    @Test("A request over a real socket")
    func socket() async throws {
        let server = try LoopbackServer.start(), request = server.request("/text"),
            missing = server.request("/status/404")
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral).validating()
        let loader = FutureLoader { dispatcher.dataFuture(from: request).then { $0.data?.count ?? 0 } }
        await loader.load().finished()
        let count = try #require(loader.value)
        #expect(count > 0)
        await loader.reload { dispatcher.dataFuture(from: missing).then { $0.data?.count ?? 0 } }.finished()
        #expect(loader.error is UnacceptableStatusError && loader.value == count)
    }
}
