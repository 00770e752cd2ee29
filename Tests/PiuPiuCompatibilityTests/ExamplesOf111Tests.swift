import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@MainActor
@Suite("PiuPiu 1.11: the examples of the README", .timeLimit(.minutes(10)))
struct ExamplesOf111Tests {
    private let controller = ControllerOf111(dispatcher: mockOf111())

    @Test("MAIN, ORDER success and completion, and async/await")
    func requests() async {
        await untilDone { done in controller.makeRequest { done() } }
        #expect(controller.note?.id == 1 && controller.lines == ["completion"])
        await controller.load()
        await untilDone { done in controller.result { done() } }
        await untilDone { done in controller.unwrapped { done() } }
        #expect(controller.lines.dropFirst() == ["Some post by Kevin", "result", "true 1"])
    }

    @Test("UPDATES A mock makes two updates")
    func updates() async {
        await untilDone { done in controller.separate { done() } }
        #expect(controller.lines == ["updated 0.0", "updated 1.0", "note 2"])
    }

    @Test("Operators, joins and decoding")
    func operators() async throws {
        #expect(try await controller.getNote(id: 7).value.data.id == 7)
        #expect(try await controller.getWriter(id: 7).value.data.name == "Kevin")
        #expect(try await controller.onMain().value.count == 1)
        #expect(try await controller.replaced().value.markdown == "*Some post*")
        await controller.decoded().sentToTheEnd()
        await controller.safe().sentToTheEnd()
        #expect(controller.lines == ["then on main", "1 notes", "safe"])
        #expect(try await controller.parallel().value.1.data.count == 1)
        #expect(try await controller.series().value.1.data.id == 123)
        guard case .failure = try await controller.safeParallel().value.1 else { return #expect(Bool(false)) }
        let note = ControllerOf111.Note(id: 1, userId: 1, title: "")
        #expect(try await controller.wrapped(note).value.urlRequest.httpBody?.isEmpty == false)
        #expect(try controller.encode(note).httpBody?.isEmpty == false)
    }

    @Test("Transforms")
    func transforms() throws {
        let json = Data(#"{"timeZoneId":"America/Montreal","value":""}"#.utf8)
        let model = try JSONDecoder().decode(ZonedModel.self, from: json)
        #expect(model.timeZone.identifier == "America/Montreal" && model.value == nil)
    }

    @Test("ADAPT Adapters with the signatures of 1.11")
    func adapters() async throws {
        let dispatcher = URLRequestDispatcher(
            configuration: .ephemeral, requestAdapter: TokenAdapter(), responseAdapter: HeadAdapter())
        let request = URLRequest(url: try #require(URL(string: "data:,a")))
        let answered = try await dispatcher.dataFuture(from: request).value.urlRequest
        #expect(answered.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
    }
}

@Suite("PiuPiu 1.11: tasks in updates", .timeLimit(.minutes(10)))
struct TasksOf111Tests {
    @available(*, deprecated)
    @Test("UPDATES A closure that names URLSessionTask gets one with the counts of the update")
    func picture() async {
        let journal = Journal()
        let tasks = await withCheckedContinuation { continuation in
            let tasks = TaskList()
            ResponseFuture<Int> { promise in
                promise.update(
                    with: TransferUpdate(
                        stage: .received,
                        progress: TransferProgress(
                            bytesSent: 1, bytesExpectedToSend: 4, bytesReceived: 3, bytesExpectedToReceive: 4)))
                promise.succeed(with: 1)
            }
            .updated { (task: URLSessionTask) in
                tasks.all.append(task)
                task.suspend()
                task.resume()
            }
            .success { _ in journal.lines.append("success") }
            .completion { continuation.resume(returning: tasks) }
            .send()
        }
        #expect(tasks.all.map(\.percentSent) == [0.25] && tasks.all.map(\.percentRecieved) == [0.75])
        #expect(tasks.all.averagePercentTransferred == 0.5 && tasks.all.running.count == 1)
        tasks.all.first?.cancel()
        #expect(tasks.all.first?.state == .canceling)
        #expect(journal.lines == ["success"])
    }

    @available(*, deprecated)
    @Test("UP The task of an update cancels the future")
    func cancellation() async {
        let journal = Journal()
        await withCheckedContinuation { continuation in
            ResponseFuture<Int> { promise in
                promise.update(with: TransferUpdate(stage: .started))
                TaskList.kept.all.append(promise)
            }
            .updated { (task: URLSessionTask) in task.cancel() }
            .cancellation { journal.lines.append("cancellation") }
            .completion { continuation.resume() }
            .send()
        }
        #expect(journal.lines == ["cancellation"])
    }

    @available(*, deprecated)
    @Test("UPDATES update(with: URLSessionTask) reports what the task has counted")
    func report() async {
        let journal = Journal()
        await ResponseFuture<Int> { promise in
            promise.update(with: URLSession.shared.dataTask(with: URL(fileURLWithPath: "/")))
            promise.succeed(with: 1)
        }
        .updated { update in journal.lines.append("\(update.stage) \(update.progress.bytesReceived)") }
        .sentToTheEnd()
        #expect(journal.lines == ["started 0"])
    }

    @available(*, deprecated)
    @Test("UPDATES The stage of a task's update is the furthest that it reached; between two requests there is none")
    func steps() async {
        let journal = Journal()
        await ResponseFuture<Int> { promise in
            promise.update(with: CountedTask(sent: 5))
            promise.update(with: CountedTask(sent: 5, hasHead: true))
            promise.update(with: CountedTask(sent: 5, received: 7, hasHead: true))
            promise.succeed(with: 1)
        }
        .updated { update in journal.lines.append("\(update.stage)") }
        .sentToTheEnd()
        #expect(journal.lines == ["sent", "responded", "received"])
        journal.lines = []
        await ResponseFuture<Int> { promise in
            for stage in [TransferUpdate.Stage.started, .retrying(attempt: 2, after: .zero), .cacheHit] {
                promise.update(with: TransferUpdate(stage: stage))
            }
            promise.succeed(with: 1)
        }
        .updated { (task: URLSessionTask) in journal.lines.append("\(task.state == .running)") }
        .sentToTheEnd()
        #expect(journal.lines == ["true"])
    }

    /// A task with these counts.
    private final class CountedTask: URLSessionTask, @unchecked Sendable {
        private let sent: Int64
        private let received: Int64
        private let head: URLResponse?

        @available(*, deprecated)
        init(sent: Int64, received: Int64 = 0, hasHead: Bool = false) {
            (self.sent, self.received) = (sent, received)
            let url = URL(fileURLWithPath: "/")
            head =
                hasHead
                ? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil) : nil
            super.init()
        }

        override var countOfBytesSent: Int64 { sent }
        override var countOfBytesReceived: Int64 { received }
        override var countOfBytesExpectedToSend: Int64 { 0 }
        override var countOfBytesExpectedToReceive: Int64 { 0 }
        override var response: URLResponse? { head }
    }

    /// Written on the main thread.
    private final class TaskList: @unchecked Sendable {
        static let kept = List<ResponseFuture<Int>>()
        var all: [URLSessionTask] = []
    }

    private final class List<Element>: @unchecked Sendable {
        var all: [Element] = []
    }
}
