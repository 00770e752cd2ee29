import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An engine that delivers any events, at any time and on any thread, as a user's engine may.
private struct WildEngine: TransferEngine {
    typealias Receiver = @Sendable (TransferEvent) -> Void

    /// When the events are delivered.
    enum Place: CaseIterable { case insideStart, whileStarting, later }

    /// What a cancellation leads to.
    enum Ear: CaseIterable { case deaf, tellsAtOnce, tellsLater, tellsAsOften }

    /// The last event. There may be none at all, or none before a cancellation.
    enum Ending: CaseIterable { case finished, failed, forgotten, twice, cancelled }

    struct Manner {
        let place: Place
        let ear: Ear
        let ending: Ending
        let heads: Int
        let chunks: Int

        /// - Parameter isCancelled: whether the exchange will be cancelled; then it needs no other end.
        init(isCancelled: Bool, using generator: inout SeededGenerator) {
            place = Place.allCases.randomElement(using: &generator) ?? .later
            let ending = Ending.allCases.randomElement(using: &generator) ?? .finished
            let ear = Ear.allCases.randomElement(using: &generator) ?? .deaf
            self.ear = ear
            self.ending = ending == .cancelled && (!isCancelled || ear == .deaf) ? .failed : ending
            heads = [0, 1, 1, 1, 1, 2].randomElement(using: &generator) ?? 1
            chunks = .random(in: 0...30, using: &generator)
        }

        /// All events up to the end.
        func script(_ request: TransferRequest) -> [TransferEvent] {
            guard let url = request.urlRequest.url,
                let head = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return [] }
            let heads = (0..<heads).map { _ in TransferEvent.head(TransferHead(head), request: request.urlRequest) }
            let chunks = (0..<chunks).map { _ in TransferEvent.body(Data(count: 64 << 10)) }
            let error = TransferEvent.failed(TransferError(.connectionLost, url: url))
            return switch ending {
            case .finished: heads + chunks + [.finished]
            case .failed: heads + chunks + [error]
            case .forgotten, .cancelled: heads + chunks
            case .twice: heads + chunks + [.finished, error] + heads + chunks
            }
        }
    }

    /// Cancels as its ear says: in order with the other events or ahead of them, once or each time.
    private struct Handle: TransferHandle {
        let ear: Ear
        let queue: DispatchQueue
        let exchange: Locked<Receiver?>
        let member: Population.Member

        func cancel() {
            let onEvent = exchange.withLock { ear == .tellsAsOften ? $0 : $0.take() }
            switch ear {
            case .deaf: break
            case .tellsAtOnce, .tellsAsOften: onEvent?(.failed(CancellationError()))
            case .tellsLater: queue.async { onEvent?(.failed(CancellationError())) }
            }
        }
    }

    let manner: Manner
    let handles: Population
    /// Called before the handle is returned.
    let willReturn: @Sendable () -> Void

    func start(_ request: TransferRequest, onEvent: @escaping Receiver) -> any TransferHandle {
        let queue = DispatchQueue(label: "wild"), events = manner.script(request)
        let keepsCallback = manner.ear != .deaf && manner.ending != .forgotten
        let handle = Handle(
            ear: manner.ear, queue: queue, exchange: Locked(keepsCallback ? onEvent : nil), member: handles.member())
        switch manner.place {
        case .insideStart: events.forEach(onEvent)
        case .whileStarting: queue.async { events.forEach(onEvent) }
        case .later: DispatchQueue.global().async { queue.async { events.forEach(onEvent) } }
        }
        willReturn()
        return handle
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}
}

@Suite("Engines that deliver any events", .timeLimit(.minutes(10)))
struct WildEngineTests {
    private enum Kind: CaseIterable { case data, download, stream, partOfStream }
    private enum Moment: CaseIterable { case never, atOnce, insideStart }

    private func transfer(
        _ kind: Kind, _ request: URLRequest, _ engine: WildEngine, to file: URL
    ) -> ResponseFuture<Int> {
        let dispatcher = URLRequestDispatcher(engine: engine)
        switch kind {
        case .data: return dispatcher.dataFuture(from: request).then { $0.data?.count ?? 0 }
        case .download: return dispatcher.downloadFuture(from: request, to: file).then { _ in 0 }
        case .stream, .partOfStream:
            let stream = dispatcher.streamFuture(from: request)
            return ResponseFuture {
                var count = 0
                for try await chunk in try await stream.value.data {
                    count += chunk.count
                    if kind == .partOfStream, count > 500_000 { break }
                }
                return count
            }
        }
    }

    /// The outcome without its value.
    private func ending(of future: ResponseFuture<Int>) async -> String {
        do {
            _ = try await future.value
            return "value"
        } catch let error as TransferError {
            return error.kind.rawValue
        } catch {
            return error is CancellationError ? "cancelled" : "\(error)"
        }
    }

    private func allowedEndings(_ manner: WildEngine.Manner, isCancelled: Bool) -> [String] {
        if isCancelled { return ["value", "connectionLost", "badResponse", "cancelled"] }
        let isSound = manner.ending == .finished && manner.heads == 1
        return isSound ? ["value"] : ["value", "connectionLost", "badResponse"]
    }

    @Test("NEVER-HANG, DOWN, RELEASE: each future ends and releases its exchange, whenever it is cancelled")
    func storm() async throws {
        let seed = StreamBytes.seed(for: "Wild engines"), folder = try TemporaryFolder()
        let request = URLRequest(url: try url("http://test/a"))
        var generator = SeededGenerator(seed: seed)
        let endings = EventLog(), wrong = EventLog(), handles = Population()
        await withDiscardingTaskGroup { group in
            for number in 0..<1000 {
                let moment = Moment.allCases.randomElement(using: &generator) ?? .never
                let manner = WildEngine.Manner(isCancelled: moment != .never, using: &generator)
                let cancel = Box<@Sendable () -> Void>()
                let engine = WildEngine(manner: manner, handles: handles) {
                    if moment == .insideStart { cancel.value?() }
                }
                let kind = Kind.allCases.randomElement(using: &generator) ?? .data
                let byTask = Bool.random(using: &generator)
                let allowed = allowedEndings(manner, isCancelled: moment != .never)
                let future = transfer(kind, request, engine, to: folder.file("\(number)"))
                group.addTask {
                    let gate = Gate()
                    let task = Task {
                        await gate.pass()
                        return await ending(of: future)
                    }
                    cancel.value = { if byTask { task.cancel() } else { future.cancel() } }
                    if moment == .atOnce { cancel.value?() }
                    gate.open()
                    let outcome = await task.value
                    endings(outcome)
                    if !allowed.contains(outcome) { wrong("\(outcome) of \(kind), \(moment), \(manner)") }
                    cancel.value = nil
                }
            }
        }
        #expect(wrong.events == [], "seed \(seed)")
        #expect(Set(endings.events) == ["value", "connectionLost", "badResponse", "cancelled"], "seed \(seed)")
        // A cancellation that misses its exchange, or a handle that stays retained, would keep one for ever.
        await handles.extinct()
        #expect(handles.highest > 1, "seed \(seed)")
    }
}
