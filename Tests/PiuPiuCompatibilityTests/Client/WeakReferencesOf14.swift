import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A screen of PiuPiu 1.4 that may be released before its request ends.
@available(*, deprecated)
class WeakScreenOf14 {
    weak var running: ResponseFuture<String>?
    private(set) var lines: [String] = []
    private let dispatcher: DataDispatcher
    private let request: URLRequest

    init(dispatcher: DataDispatcher, request: URLRequest) {
        self.dispatcher = dispatcher
        self.request = request
    }

    /// Only the future retains itself, and it retains nobody else.
    func load(log: Journal, done: @escaping () -> Void) {
        let future = dispatcher.dataFuture(from: request)
            .then({ response -> String in
                return try response.decodeString(encoding: .utf8)
            })
            .progress({ [weak self] progress in
                self?.lines.append("progress \(progress)")
            })
            .response({ [weak self] text in
                self?.lines.append("\(text) \(self?.running == nil ? "gone" : "here")")
            })
            .completion({ [weak self] in
                log.lines.append(self == nil ? "nobody" : "a screen")
                done()
            })
        running = future
        future.send()
    }
}
