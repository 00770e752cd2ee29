import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
@Suite("PiuPiu 1.11: the progress of the example app", .timeLimit(.minutes(10)))
struct ProgressOf111Tests {
    private let bar = ProgressOf111()
    private let tenths: [Float] = (0...10).map { Float($0) / 10 }

    @Test(
        "UPDATES Ten parallel requests show 0.1, 0.2 … 1.0, whether or not the length of the answers is announced",
        arguments: ["/posts/1", "/chunked/3/100", "/status/204"])
    func requests(path: String) async throws {
        let server = try LoopbackServer.start()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let posts = (1...10).map { _ in dispatcher.dataFuture(from: server.request(path)) }
        await untilDone { done in bar.load(posts) { done() } }
        #expect(bar.shown == tenths)
        #expect(bar.taskCount == 10 && bar.ends == 10)
        #expect(bar.identifierCount == 10)
    }

    @Test("UPDATES Mocked requests show the same, with a body and without")
    func mocks() async throws {
        let request = URLRequest(url: try #require(URL(string: "https://example.com/posts")))
        let mocks = MocksOf111(), others = ProgressOf111()
        await untilDone { done in bar.load((1...10).map { _ in mocks.data.dataFuture(from: request) }) { done() } }
        await untilDone { done in others.load((1...10).map { _ in mocks.empty.dataFuture(from: request) }) { done() } }
        #expect(bar.shown == tenths && others.shown == tenths)
        #expect(try await mocks.text.dataFuture(from: request).decodedString().value.data == #"{"path": "/posts"}"#)
    }

    @Test("UPDATES, TURN A bar that is shown late misses none of many requests")
    func lateBar() async throws {
        let request = URLRequest(url: try #require(URL(string: "https://example.com/posts")))
        let answered = DispatchSemaphore(value: 0)
        let mock = MockURLRequestDispatcher { request in
            answered.signal()
            return Response.makeMockResponse(with: request, data: Data("1".utf8), statusCode: .ok)
        }
        bar.beforeFirst = { for _ in 1...200 { answered.wait() } }
        await untilDone { done in bar.load((1...200).map { _ in mock.dataFuture(from: request) }) { done() } }
        #expect(bar.taskCount == 200)
        #expect(bar.shown.last == 1)
    }

    @available(*, deprecated)
    @Test(
        "UPDATES An answer without a body brings as many calls as in 1.11, and one more if no length was announced",
        arguments: [("/empty", 2), ("/status/204", 3)])
    func emptyAnswer(path: String, count: Int) async throws {
        let server = try LoopbackServer.start()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        var states: [URLSessionTask.State] = [], finished: [Bool] = []
        await untilDone { done in
            dispatcher.dataFuture(from: server.request(path))
                .updated { (task: URLSessionTask) in
                    states.append(task.state)
                    finished.append(task.progress.isFinished)
                }
                .completion { done() }
                .send()
        }
        #expect(states == Array(repeating: .running, count: count - 1) + [.completed])
        #expect(finished == states.map { $0 == .completed })
    }

    @Test("UPDATES A failed request is a completed one")
    func failure() async throws {
        let server = try LoopbackServer.start()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        await untilDone { done in bar.load([dispatcher.dataFuture(from: server.request("/fault/close"))]) { done() } }
        #expect(bar.shown == [0, 1])
        #expect(bar.taskCount == 1)
    }

    @Test("UPDATES A download has one task, and ends at 1.0")
    func download() async throws {
        let server = try LoopbackServer.start()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let future = dispatcher.downloadFuture(from: server.request("/bytes/3000000"), to: file)
        await untilDone { done in bar.download(future) { done() } }
        #expect(bar.shown.first == 0 && bar.shown.last == 1)
        #expect(bar.shown == bar.shown.sorted())
        #expect(bar.taskCount == 1)
    }

    @Test(
        "UPDATES The progress of the tasks is a part of another, and is finished after a success and after a failure",
        arguments: [("/posts/1", 8), ("/fault/close", 1)])
    func parts(path: String, count: Int) async throws {
        let server = try LoopbackServer.start()
        let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
        let posts = (1...count).map { _ in dispatcher.dataFuture(from: server.request(path)) }
        await untilDone { done in bar.observe(posts) { done() } }
        #expect(bar.shown.first == 0 && bar.shown.last == 1)
        #expect(bar.taskCount == count)
    }

    @available(*, deprecated)
    @Test("UPDATES The progress of a task counts its bytes, and stays finished")
    func foundationProgress() async {
        let film = ResponseFuture<Int> { promise in
            for count in [1, 2, 3, 4, 2] as [Int64] {
                let progress = TransferProgress(bytesReceived: count, bytesExpectedToReceive: 4)
                promise.update(with: TransferUpdate(stage: .received, progress: progress))
            }
            promise.succeed(with: 1)
        }
        var shares: [Double] = []
        await untilDone { done in
            film.updated { (task: URLSessionTask) in shares.append(task.progress.fractionCompleted) }
                .completion { done() }
                .send()
        }
        #expect(shares == [0.25, 0.5, 0.75, 1, 1])
    }

    @available(*, deprecated)
    @Test("UP The progress of a task cancels the future")
    func cancel() async {
        let promise = Box<ResponseFuture<Int>>()
        let film = ResponseFuture<Int> { future in
            promise.value = future
            future.update(with: TransferUpdate(stage: .started))
        }
        await untilDone { done in
            film.updated { (task: URLSessionTask) in task.progress.cancel() }
                .completion { done() }
                .send()
        }
        #expect(film.status == .cancelled)
    }

    @available(*, deprecated)
    @Test("UP The progress of a task is cancelled with the future, unless it is finished", arguments: [true, false])
    func cancelled(byTask: Bool) async {
        let promise = Box<ResponseFuture<Int>>()
        let film = ResponseFuture<Int> { future in
            promise.value = future
            for count in 1...2 as ClosedRange<Int64> {
                let progress = TransferProgress(bytesReceived: count, bytesExpectedToReceive: 2)
                future.update(with: TransferUpdate(stage: .received, progress: progress).of(TransferSource()))
            }
        }
        var parts: [Progress] = []
        await untilDone { done in
            film.updated { (task: URLSessionTask) in
                parts.append(task.progress)
                guard parts.count == 2 else { return }
                if byTask { task.cancel() } else { film.cancel() }
            }
            .onCompletion { @MainActor in done() }
            .send()
        }
        #expect(parts.map(\.isCancelled) == [true, false])
        #expect(parts.map(\.isFinished) == [false, true])
    }

    @available(*, deprecated)
    @Test("UPDATES The tasks of a future that has failed or was cancelled are completed", arguments: [false, true])
    func completed(byFailure: Bool) async {
        let promise = Box<ResponseFuture<Int>>(), other = Box<ResponseFuture<Int>>(), begun = Counter()
        // Not before both have begun: the callback ends the other one.
        let update = { @Sendable in
            guard begun.increment() == 2 else { return }
            promise.value?.update(with: TransferUpdate(stage: .started).of(TransferSource()))
        }
        let slow = ResponseFuture<Int> { future in
            promise.value = future
            update()
        }
        let second = ResponseFuture<Int> { future in
            other.value = future
            update()
        }
        let both = ResponseFuture<[Int]>(childFutures: [slow, second])
        var tasks: Set<URLSessionTask> = [], states: [URLSessionTask.State] = []
        await untilDone { done in
            both.updated { (task: URLSessionTask) in
                tasks.insert(task)
                if byFailure { other.value?.fail(with: CocoaError(.featureUnsupported)) } else { both.cancel() }
            }
            .completion { states = tasks.map(\.state) }
            .onCompletion { @MainActor in done() }
            .send()
        }
        #expect(states == [.completed])
        #expect(tasks.map(\.state) == [.completed])
        #expect(tasks.map(\.progress.isCancelled) == [true])
    }

    @available(*, deprecated)
    @Test("UPDATES A task is running in an update from before the failure, also if that arrives after it")
    func lateUpdate() async {
        let source = TransferSource()
        let failing = ResponseFuture<Int> { promise in
            promise.update(with: TransferUpdate(stage: .started).of(source))
            promise.fail(with: CocoaError(.featureUnsupported))
        }
        var task: URLSessionTask?, states: [URLSessionTask.State] = []
        await untilDone { done in
            failing.updated { (updated: URLSessionTask) in
                task = updated
                states.append(updated.state)
            }
            .completion {
                if let task { states.append(task.state) }
                done()
            }
            .send()
        }
        #expect(states == [.running, .completed])
        #expect(task?.progress.isFinished == false)
    }

    @available(*, deprecated)
    @Test("UPDATES A task that an action reports arrives as it is; its other updates make a task of their own")
    func ownTasks() async throws {
        let task = URLSession.shared.dataTask(with: URL(fileURLWithPath: "/"))
        let other = ResponseFuture<Int> { promise in
            for count in 1...3 as ClosedRange<Int64> {
                let progress = TransferProgress(bytesReceived: count, bytesExpectedToReceive: 3)
                promise.update(with: TransferUpdate(stage: .received, progress: progress))
            }
            promise.succeed(with: 1)
        }
        let own = ResponseFuture<Int> { promise in
            promise.update(with: task)
            promise.succeed(with: 2)
        }
        var tasks: [URLSessionTask] = []
        await untilDone { done in
            ResponseFuture<[Int]>(childFutures: [own, other])
                .updated { (task: URLSessionTask) in tasks.append(task) }
                .completion { done() }
                .send()
        }
        #expect(tasks.count == 4 && Set(tasks).count == 2)
        #expect(tasks.first === task)
        #expect(tasks.allSatisfy { ($0 === task) == ($0.taskIdentifier < 1_000_000) })
        #expect(Set(tasks).completed.count == 1)
    }
}
