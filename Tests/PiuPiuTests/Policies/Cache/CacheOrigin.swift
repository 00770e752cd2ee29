import Dispatch
import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server without a socket that answers each request as a test wants, and records it.
final class CacheOrigin: TransferEngine {
    /// An answer, or none.
    struct Answer: Sendable {
        var status = 200
        var fields: [(name: String, value: String)] = []
        var body = ""
        /// The error that ends the exchange, instead of an answer or after the body.
        var error: TransferError.Kind?
        var isCutOff = false
        /// Whether the head is a response of Foundation, which has joined the fields of a name.
        var hasJoinedFields = false
    }

    typealias Handler = @Sendable (URLRequest, _ number: Int) -> Answer

    let requests = Watched<[URLRequest]>([])
    private let handler: Handler
    /// Holds each exchange until it is open.
    private let gate: Gate?

    init(gate: Gate? = nil, _ handler: @escaping Handler) {
        self.handler = handler
        self.gate = gate
    }

    var count: Int { requests.withLock { $0.count } }

    /// Suspends until `count` requests have come.
    func received(_ count: Int) async { await requests.wait { $0.count >= count } }

    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) -> any TransferHandle {
        let urlRequest = request.urlRequest
        let number = requests.withLock { requests in
            requests.append(urlRequest)
            return requests.count
        }
        let course = Locked<(@Sendable (TransferEvent) -> Void)?>(onEvent)
        let answer = handler(urlRequest, number)
        let deliver: @Sendable (TransferEvent) -> Void = { event in
            course.withLock { event.isTerminal ? $0.take() : $0 }?(event)
        }
        let send: @Sendable () -> Void = {
            if let error = answer.error, !answer.isCutOff {
                return deliver(.failed(TransferError(error, url: urlRequest.url)))
            }
            guard let url = urlRequest.url else { return }
            let head = TransferHead(url: url, status: answer.status, fields: answer.fields)
            deliver(.head(answer.hasJoinedFields ? TransferHead(head.urlResponse) : head, request: urlRequest))
            if !answer.body.isEmpty, urlRequest.httpMethod != "HEAD" { deliver(.body(Data(answer.body.utf8))) }
            deliver(answer.isCutOff ? .failed(TransferError(answer.error ?? .truncated, url: url)) : .finished)
        }
        if let gate {
            Task {
                await gate.pass()
                send()
            }
        } else {
            DispatchQueue.global().async(execute: send)
        }
        return Handle(deliver: deliver)
    }

    func finishTasksAndInvalidate() {}
    func invalidateAndCancel() {}

    private struct Handle: TransferHandle {
        let deliver: @Sendable (TransferEvent) -> Void

        func cancel() {
            DispatchQueue.global().async { deliver(.failed(CancellationError())) }
        }
    }
}

/// A time of day that a test sets.
final class WallClock: Sendable {
    /// Some Friday of 2027, at 08:00:00 GMT.
    static let start: TimeInterval = 1_800_000_000
    private let seconds = Locked(WallClock.start)

    var now: TimeInterval { seconds.withLock { $0 } }
    func advance(by seconds: TimeInterval) { self.seconds.withLock { $0 += seconds } }

    /// The time `offset` seconds from now, as a header field.
    func text(_ offset: TimeInterval = 0) -> String { Self.text(now + offset) }

    static func text(_ seconds: TimeInterval) -> String {
        let form = Date.VerbatimFormatStyle(
            format:
                "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .extended(minimumLength: 4)) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
        return Date(timeIntervalSince1970: seconds).formatted(form)
    }
}
