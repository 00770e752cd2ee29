#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The decisions of one exchange, hop by hop: the reaction to each event of its engine.
///
/// A pure value that gets events and returns steps; ``DrivenExchange`` keeps it under a lock and carries the steps out.
package struct TransferCourse: Sendable {
    /// The next thing to do.
    package enum Step: Sendable {
        /// Nothing.
        case nothing
        /// Wait for the end of a redirect's body, but no longer than ``redirectBodyTime``.
        case drain
        /// Deliver this event.
        case deliver(TransferEvent)
        /// Go on with this request; `cancels` if the running hop is cancelled first.
        indirect case goOn(TransferRequest, cancels: Bool)
        /// Ask this closure about a redirect, then call ``answered(_:to:of:)``.
        indirect case ask(Decision, TransferRedirect, next: URLRequest)
        /// The exchange is over: deliver this event; `cancels` if the engine must be cancelled, too.
        case end(TransferEvent, cancels: Bool)
    }

    /// The closure of a ``RedirectPolicy/decide(_:)``.
    package typealias Decision = @Sendable (TransferRedirect, URLRequest) -> URLRequest?

    /// How many bytes of a redirect's body are read, so that its connection can be reused.
    package static let redirectBodyLimit: Int64 = 64 << 10

    /// How long that is waited for, in nanoseconds.
    package static let redirectBodyTime: UInt64 = 1_000_000_000

    /// The request of the running hop: first the caller's, later that of a redirect.
    package private(set) var request: TransferRequest

    /// The number of the running or the next hop; events of other hops are ignored.
    package private(set) var hop = 1

    /// Whether the outcome of the exchange is decided.
    package private(set) var isOver = false

    /// The request that follows when the body of a redirect has ended.
    private var next: TransferRequest?
    private var redirects: [TransferRedirect] = []
    private var head: TransferHead?
    private var sent: Int64 = 0
    private var received: Int64 = 0

    package init(_ request: TransferRequest) {
        self.request = request
    }

    /// The caller's request, whatever it was redirected to.
    package var firstRequest: URLRequest { redirects.first?.urlRequest ?? request.urlRequest }

    /// The request to send and the number of its hop; `nil` when the exchange is over.
    package mutating func launch() -> (request: TransferRequest, hop: Int)? {
        guard !isOver else { return nil }
        if let next = next.take() {
            request = next
            sent = 0
            received = 0
        }
        return (request, hop)
    }

    /// The exchange is ended from outside, by a cancellation, an invalidation or a time limit.
    package mutating func interrupt() {
        isOver = true
    }

    /// Whether events of a hop still count.
    package func isCurrent(_ hop: Int) -> Bool {
        !isOver && hop == self.hop
    }

    /// Whether only the rest of a redirect's body is to come.
    package var isDraining: Bool { next != nil && !isOver }

    /// The body of a redirect has taken too long: the target is known, so it doesn't matter.
    package mutating func stopDraining() -> Step {
        guard !isOver, let next else { return .nothing }
        return taking(.goOn(next, cancels: true))
    }

    /// The engine has reported an event of a hop.
    package mutating func received(_ event: TransferEvent, of hop: Int) -> Step {
        isCurrent(hop) ? taking(step(event)) : .nothing
    }

    /// The policy has answered: with the request to send, or `nil` for the redirect as the response.
    package mutating func answered(_ wanted: URLRequest?, to redirect: TransferRedirect, of hop: Int) -> Step {
        guard isCurrent(hop) else { return .nothing }
        return taking(wanted.map { follow(redirect, with: $0) } ?? accept(redirect.head))
    }

    private mutating func taking(_ step: Step) -> Step {
        switch step {
        case .end: isOver = true
        // Events of this hop are ignored from now on.
        case .goOn: hop += 1
        case .ask, .deliver, .drain, .nothing: break
        }
        return step
    }

    private mutating func step(_ event: TransferEvent) -> Step {
        switch event {
        case .sent(let bytes, _):
            guard next == nil, head == nil, bytes > sent else { return .nothing }
            sent = bytes
            return .deliver(event)
        case .head(let head, _):
            return received(head)
        case .body(let chunk):
            received += Int64(chunk.count)
            if let next { return received > Self.redirectBodyLimit ? .goOn(next, cancels: true) : .nothing }
            return head == nil || chunk.isEmpty ? .nothing : .deliver(event)
        case .measured(let metrics):
            guard next == nil else {
                redirects[redirects.count - 1].metrics = metrics
                return .nothing
            }
            return head == nil ? .nothing : .deliver(event)
        case .finished:
            if let next { return .goOn(next, cancels: false) }
            guard head != nil else { return failure(.badResponse) }
            return isTruncated ? failure(.truncated) : .end(event, cancels: false)
        case .failed(let error):
            // The target of the redirect is known, so an error in its body doesn't matter.
            return next.map { .goOn($0, cancels: false) } ?? .end(.failed(marked(error)), cancels: false)
        }
    }

    private mutating func received(_ head: TransferHead) -> Step {
        // Interim responses such as 100 and 103: the final one follows.
        if let status = head.status, status < 200 { return .nothing }
        guard next == nil else { return .nothing }
        guard head.announcedLength != .invalid else { return failure(.badResponse, cancels: true) }
        received = 0
        if case .never = request.redirectPolicy { return accept(head) }
        guard let location = request.location(in: head), let status = head.status else { return accept(head) }
        let redirect = TransferRedirect(urlRequest: request.urlRequest, head: head)
        let next = request.urlRequest.redirected(
            to: location, status: status, credentialHeaders: request.sentCredential?.headerNames ?? [])
        if case .decide(let decision) = request.redirectPolicy { return .ask(decision, redirect, next: next) }
        return follow(redirect, with: next)
    }

    private mutating func accept(_ head: TransferHead) -> Step {
        var head = head
        if !redirects.isEmpty { head.redirects = redirects }
        self.head = head
        // The caller's request, without the cookies of a jar.
        return .deliver(.head(head, request: request.urlRequest))
    }

    private mutating func follow(_ redirect: TransferRedirect, with wanted: URLRequest) -> Step {
        let next: TransferRequest
        do {
            next = try request.redirected(to: wanted, keepsBody: keepsBody(redirect))
        } catch {
            return .end(.failed(error), cancels: true)
        }
        guard redirects.count < TransferRequest.redirectLimit else {
            return failure(.tooManyRedirects, url: next.urlRequest.url, cancels: true)
        }
        redirects.append(redirect)
        self.next = next
        return (redirect.head.announcedLength.value ?? 0) > Self.redirectBodyLimit
            ? .goOn(next, cancels: true) : .drain
    }

    /// Whether a redirect wants the body again, whatever method a policy sends it with.
    private func keepsBody(_ redirect: TransferRedirect) -> Bool {
        let request = request.urlRequest
        guard let location = self.request.location(in: redirect.head), let status = redirect.head.status else {
            return false
        }
        return request.redirected(to: location, status: status).httpMethod == request.httpMethod
    }

    /// Whether less of the body has come than was announced.
    private var isTruncated: Bool {
        guard let head, head.status != nil, case .bytes(let length) = head.announcedLength, length > received else {
            return false
        }
        return !head.isBare(answering: request.urlRequest)
    }

    /// The error of a hop, as the error of the exchange.
    package func marked(_ error: any Error) -> any Error {
        guard !redirects.isEmpty, var error = error as? any UnsentError else { return error }
        error.isAfterRedirect = true
        return error
    }

    private func failure(_ kind: TransferError.Kind, url: URL? = nil, cancels: Bool = false) -> Step {
        .end(.failed(TransferError(kind, url: url ?? request.urlRequest.url)), cancels: cancels)
    }
}
