/// The state of a server, behind its lock.
struct ServerState: AwaitableState {
    /// What a test can wait for.
    enum Condition: Sendable {
        case requests(Int, path: String?)
        case accepted(Int)
        case openConnections(atMost: Int)
        case idle
        case bytesSent(Int, path: String)
        case sendingPaused(path: String)
    }

    /// How much of a path's counted bodies was sent.
    struct Sending {
        var bytes = 0
        /// Whether the client makes the server wait, or has everything.
        var isPaused = false
    }

    var isRunning = true
    var routes: [LoopbackRoute]

    var acceptor: Worker?
    /// The sockets that a stop has to interrupt, by the number of their connection.
    var sockets: [Int: Int32] = [:]
    var workers: [Int: Worker] = [:]
    /// Threads that have ended and must be joined.
    var finished: [Worker] = []

    /// The socket that holds a port at which nobody listens.
    var refusing: (socket: Int32, port: Int)?

    var accepted = 0
    var open = 0
    var active = 0

    /// By the path of the request.
    var sendings: [String: Sending] = [:]

    private(set) var requestCount = 0
    private var countsByPath: [String: Int] = [:]
    private var records: [RecordedRequest] = []

    init(routes: [LoopbackRoute]) {
        self.routes = routes
    }

    func outcome(of condition: Condition) -> Result<Void, LoopbackServerError>? {
        switch condition {
        case .requests(let count, let path):
            if requestCount(path: path) >= count { return .success(()) }
        case .accepted(let count):
            if accepted >= count { return .success(()) }
        case .openConnections(let count):
            // A stop closes them all, so it is no reason to give up here, nor below.
            return open <= count ? .success(()) : nil
        case .idle:
            return active == 0 ? .success(()) : nil
        case .bytesSent(let count, let path):
            if sendings[path, default: Sending()].bytes >= count { return .success(()) }
        case .sendingPaused(let path):
            if sendings[path, default: Sending()].isPaused { return .success(()) }
        }
        return isRunning ? nil : .failure(.stopped)
    }

    func requestCount(path: String?) -> Int {
        path.map { countsByPath[$0, default: 0] } ?? requestCount
    }

    /// The latest requests, at most `limit`.
    func latest(_ limit: Int) -> [RecordedRequest] {
        records.suffix(limit)
    }

    mutating func record(_ request: RecordedRequest, limit: Int) {
        requestCount += 1
        countsByPath[request.path, default: 0] += 1
        guard limit > 0 else { return }
        // Twice the limit is kept, so that removals cost little per request.
        if records.count >= 2 * limit { records.removeFirst(limit) }
        records.append(request)
    }

    mutating func forgetRequests() {
        requestCount = 0
        countsByPath = [:]
        records = []
        sendings = [:]
    }
}
