import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The progress bar of the example app of PiuPiu 1.11: it collects the tasks of the updates in a set.
class ProgressOf111 {
    private var tasks: Set<URLSessionTask> = []
    private(set) var shown: [Float] = []
    var taskCount: Int { return tasks.count }
    var identifierCount: Int { return Set(tasks.map { $0.taskIdentifier }).count }
    /// How often a task was completed.
    private(set) var ends = 0
    /// What the app does first, while its requests go on.
    var beforeFirst: () -> Void = {}

    /// What share of several requests has been completed.
    func load(_ posts: [ResponseFuture<Response<Data?>>], done: @escaping () -> Void) {
        let count = posts.count
        ResponseFuture<[Response<Data?>]>(childFutures: posts)
            .updated { [weak self] task in
                guard let self = self else { return }
                self.tasks.insert(task)
                if task.state == .completed { self.ends += 1 }
                self.show(Float(self.tasks.completed.count) / Float(count))
            }
            .completion { done() }
            .send()
    }

    /// How far a download has come.
    func download(_ file: ResponseFuture<Response<URL>>, done: @escaping () -> Void) {
        file
            .updated { task in
                self.tasks.insert(task)
                self.show(self.tasks.averagePercentTransferred ?? 0)
            }
            .completion { done() }
            .send()
    }

    /// How far requests have come together: each is a part of one `Progress`.
    func observe(_ posts: [ResponseFuture<Response<Data?>>], done: @escaping () -> Void) {
        let total = Progress(totalUnitCount: Int64(posts.count))
        ResponseFuture<[Response<Data?>]>(childFutures: posts)
            .updated { task in
                if self.tasks.insert(task).inserted { total.addChild(task.progress, withPendingUnitCount: 1) }
                self.show(Float(total.fractionCompleted))
            }
            .completion { done() }
            .send()
    }

    private func show(_ share: Float) {
        if shown.isEmpty { beforeFirst() }
        if shown.last != share { shown.append(share) }
    }
}

/// Mocks without `try`, as of PiuPiu 1.8 to 1.11.
struct MocksOf111 {
    let empty = MockURLRequestDispatcher { request in
        Response.makeMockResponse(with: request, statusCode: .noContent)
    }
    let text = MockURLRequestDispatcher(delay: 0) { request in
        let path = request.url?.path ?? ""
        return Response.makeMockResponse(with: request, jsonString: "{\"path\": \"\(path)\"}", statusCode: .ok)
    }
    let data = MockURLRequestDispatcher(
        delay: 0,
        callback: { request in
            return Response.makeMockResponse(with: request, data: "1".data(using: .utf8), statusCode: .ok, headers: [:])
        })
}
