package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// The decisions of one exchange over `URLSession`: what each thing that happens to it means.
///
/// A pure value that takes in what happened and answers what is to be done; ``SessionExchange`` keeps it under a lock
/// and carries the answers out.
package struct ExchangeState: Sendable {
    /// What a cancellation (or another end from outside) asks for.
    package enum Interruption: Equatable {
        /// Nothing: the exchange is over.
        case ignored
        /// There is no task yet: the exchange is over at once.
        case settle
        /// The exchange is over at once, and its task is to be stopped.
        case settleAndStop
    }

    /// What a task meets that was made and resumed.
    package enum Launched: Equatable {
        /// It runs, and is what a later interruption stops.
        case running
        /// The exchange was given up while the task was made: it is to be stopped.
        case stop
        /// It is over already.
        case over
    }

    /// How a redirect is answered.
    package enum RedirectAnswer: Sendable {
        /// With this request.
        case follow(URLRequest)
        /// With none: the task ends with the redirecting response.
        case stay
        /// Not at all, because the task is being stopped: FoundationNetworking traps on an answer after a cancel.
        case silence
    }

    /// What the end of a task means.
    package enum Completion: Sendable {
        /// The outcome was reported before.
        case ignored
        /// The exchange goes on with a new task for this state's request.
        case relaunch
        /// The exchange is over: the head, if it was not told yet, and the last event.
        case end(head: TransferEvent?, last: TransferEvent)
    }

    private enum Phase { case unlaunched, launching, running, ended }

    /// The limit that browsers and `URLSession` have.
    package static let redirectLimit = 20

    /// The request that is being answered: at first the caller's, later the one that a redirect led to.
    package private(set) var request: TransferRequest

    private var phase = Phase.unlaunched
    private var attempt = 0
    private var isSettled = false
    private var isChallenged = false
    private var redirects = 0
    private var hop: TransferRequest?
    private var refusal: TransferError?
    private var head: URLResponse?
    private var sent: Int64 = 0
    /// How much of the response's body has arrived.
    package private(set) var received: Int64 = 0

    package init(_ request: TransferRequest) {
        self.request = request
    }

    // MARK: The task

    /// The request to make a task for and the number of the attempt, or `nil` when the exchange was given up in the
    /// meantime.
    package mutating func launch() -> (request: TransferRequest, attempt: Int)? {
        guard !isSettled else { return nil }
        phase = .launching
        attempt += 1
        return (request, attempt)
    }

    /// The task of `attempt` was made and resumed.
    ///
    /// A task is never stopped before it was resumed: dropping one unresumed leaks its session.
    package mutating func launched(_ attempt: Int) -> Launched {
        guard phase == .launching, attempt == self.attempt else { return .over }
        phase = .running
        return isSettled ? .stop : .running
    }

    /// The exchange is ended from outside: by a cancellation, an invalidation or a deadline.
    package mutating func interrupt() -> Interruption {
        guard !isSettled else { return .ignored }
        isSettled = true
        return phase == .running ? .settleAndStop : .settle
    }

    // MARK: What the task tells

    /// A part of the request's body was sent. (URLSession on Linux tells some of them twice.)
    package mutating func sent(_ bytes: Int64, of expected: Int64) -> TransferEvent? {
        guard !isSettled, bytes != sent else { return nil }
        sent = bytes
        return .sent(bytes: bytes, expected: expected > 0 ? expected : nil)
    }

    /// The head of a response has arrived. A second one, after a challenge, starts over.
    package mutating func received(_ response: URLResponse) -> TransferEvent? {
        // 100 and 103 are delivered like a head, and the real one follows.
        if let http = response as? HTTPURLResponse, http.statusCode < 200 { return nil }
        guard !isSettled, hop == nil, refusal == nil else { return nil }
        head = response
        received = 0
        return .head(response, request: request.urlRequest)
    }

    /// A part of the response's body has arrived.
    package mutating func received(_ chunk: Data) -> TransferEvent? {
        guard !isSettled, hop == nil, refusal == nil, head != nil, !chunk.isEmpty else { return nil }
        received += Int64(chunk.count)
        return .body(chunk)
    }

    /// The server asks for credentials. There are none, so the challenge is cancelled, and the cancelled task is a
    /// success: its response is the 401.
    package mutating func challenged() {
        isChallenged = true
    }

    /// The server redirects to `proposed`.
    package mutating func redirected(by response: HTTPURLResponse, to proposed: URLRequest) -> RedirectAnswer {
        guard !isSettled else { return .silence }
        redirects += 1
        // FoundationNetworking proposes http://host/path for a location of file:///path: better resolved here.
        let target =
            response.value(forHTTPHeaderField: "Location")
            .flatMap { URL(string: $0, relativeTo: request.urlRequest.url)?.absoluteURL } ?? proposed.url
        guard redirects <= Self.redirectLimit else {
            refusal = TransferError(.tooManyRedirects, url: target)
            return .stay
        }
        guard let next = request.redirected(to: target, status: response.statusCode) else {
            refusal = TransferError(.unsupportedURL, url: target)
            return .stay
        }
        if !request.body.isEmpty {
            // URLSession would drop the body on the way, so this hop gets a task of its own; so does one that leaves
            // the body behind, which goes on in the session for requests without.
            hop = next
            return .stay
        }
        request = next
        return .follow(next.urlRequest)
    }

    /// The task is over, with what it knows of its response.
    package mutating func completed(_ response: URLResponse?, error: (any Error)?) -> Completion {
        phase = .ended
        guard !isSettled else { return .ignored }
        if let next = hop, error == nil {
            hop = nil
            head = nil
            sent = 0
            received = 0
            request = next
            phase = .unlaunched
            return .relaunch
        }
        isSettled = true
        if let refusal { return .end(head: nil, last: .failed(refusal)) }
        if let error, !(isChallenged && (error as? URLError)?.code == .cancelled) {
            return .end(head: nil, last: .failed(failure(for: error)))
        }
        // A 3xx without a Location ends without a call that delivers its head.
        guard let answer = head ?? response else {
            return .end(head: nil, last: .failed(TransferError(.badResponse, url: request.urlRequest.url)))
        }
        guard head != nil else { return .end(head: .head(answer, request: request.urlRequest), last: .finished) }
        if error == nil, let defect = defect(of: answer) {
            return .end(head: nil, last: .failed(TransferError(defect, url: request.urlRequest.url)))
        }
        return .end(head: nil, last: .finished)
    }

    // MARK: -

    /// The session cancels tasks only when it is invalidated: that is a cancellation, wherever it came from.
    private func failure(for error: any Error) -> any Error {
        if (error as? URLError)?.code == .cancelled { return CancellationError() }
        return TransferError(error, url: request.urlRequest.url)
    }

    /// What is wrong with the body that has arrived without an error, where that is known: the answer to HEAD
    /// announces what it does not send.
    private func defect(of response: URLResponse) -> TransferError.Kind? {
        // The usual case first: looking a header up costs more than all the rest.
        guard response.expectedContentLength > received,
            let http = response as? HTTPURLResponse, request.urlRequest.httpMethod?.uppercased() != "HEAD",
            http.statusCode != 204, http.statusCode != 304,
            let announced = http.value(forHTTPHeaderField: "Content-Length").flatMap({ Int64($0) })
        else { return nil }
        if (http.value(forHTTPHeaderField: "Content-Encoding") ?? "identity").lowercased() == "identity" {
            return announced > received ? .truncated : nil
        }
        // The length is that of the coded body. No coding makes one much longer (gzip: 18 bytes, a name, and 5 for each
        // 64 KB), so when less has come out of it, the rest could not be decoded; FoundationNetworking says nothing.
        return announced > received + received / 100 + 1024 ? .badResponse : nil
    }
}
