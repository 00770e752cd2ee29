import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A screen that may be gone before its request has ended, with the weak references that apps had against cycles.
@MainActor
class ScreenOf111 {
    weak var running: ResponseFuture<Response<Data?>>?
    var held: ResponseFuture<Response<Data?>>?
    private(set) var lines: [String] = []
    private let dispatcher: any DataDispatcher
    private let request: URLRequest

    init(dispatcher: any DataDispatcher, request: URLRequest) {
        self.dispatcher = dispatcher
        self.request = request
    }

    /// The future is held by nobody but itself.
    func loadWeakly(done: @escaping () -> Void) {
        let future = dispatcher.dataFuture(from: request)
            .success { [weak self] response in
                self?.lines.append("success \(self?.running === nil ? "gone" : "here")")
            }
            .completion { [weak self] in
                self?.lines.append("completion \(self?.running === nil ? "gone" : "here")")
                done()
            }
        running = future
        future.send()
        lines.append("sent \(running === nil ? "gone" : "here")")
    }

    /// The future is held by the screen, and its callbacks hold the screen, until the completion ends that.
    func loadHeld(done: @escaping () -> Void) {
        held = dispatcher.dataFuture(from: request)
        held?
            .success { response in self.lines.append("success") }
            .completion { [weak self] in
                self?.held = nil
                done()
            }
            .send()
    }

    /// The next request belongs to a screen that may be gone by then, which ends the chain.
    func loadNext(log: Journal, done: @escaping () -> Void) {
        dispatcher.dataFuture(from: request)
            .replace(Response<Data?>.self) { [weak self] response in
                guard let self = self else { return nil }
                return self.dispatcher.dataFuture(from: self.request)
            }
            .updated { [weak self] task in self?.lines.append("updated") }
            .success { [weak self] _ in log.lines.append("success of \(self == nil ? "nobody" : "a screen")") }
            .cancellation { log.lines.append("cancellation") }
            .completion { done() }
            .send()
    }

    /// A screen that goes takes its request with it.
    func cancelRunning() {
        running?.cancel()
    }
}
