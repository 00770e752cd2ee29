import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A screen that may be released before its request ends, with the weak references that apps used against cycles.
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

    /// Only the future retains itself.
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

    /// The screen retains the future, and its callbacks retain the screen, until the completion breaks the cycle.
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

    /// The next request belongs to a screen that may be released by then; that ends the chain.
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

    /// A screen that disappears cancels its request.
    func cancelRunning() {
        running?.cancel()
    }
}
