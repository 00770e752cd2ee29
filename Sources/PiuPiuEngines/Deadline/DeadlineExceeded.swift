public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request took longer than the limit of ``Dispatching/deadline(_:clock:)``.
///
/// ```swift
/// do {
///     posts = try await dispatcher.deadline(.seconds(5)).dataFuture(from: request).decoded([Post].self).value.data
/// } catch let error as DeadlineExceeded {
///     show(error.localizedDescription)
/// }
/// ```
///
/// It is not a cancellation: `error` callbacks get it, and a `recover` may handle it. The transfer was cancelled,
/// unless somebody else is interested in it.
///
/// The description leaves out the user name, the password and the query of the URL; ``url`` has them all.
public struct DeadlineExceeded: LocalizableError, Equatable {
    /// The progress at the deadline, as far as updates reported it.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// Nothing was in flight: it waited for an adapter, for the next attempt, or for its turn in a line of
        /// downloads, or there was no time to send it.
        case waiting
        /// It waited for its turn, the connection, or the response: without a body these can't be distinguished.
        case connecting
        /// A part of its body had been sent.
        case sending
        /// All of its body had been sent, and nothing of the response had arrived. With chunks of unknown length the
        /// end of the body isn't known: the stage stays ``sending``.
        case responding
        /// The head of the response had arrived, and its body was not complete.
        case receiving
    }

    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the caller's request.
    public let url: URL?

    /// The time limit.
    public let limit: Duration

    /// The progress at the deadline.
    public let stage: Stage

    /// The attempts of a ``RetryPolicy`` that had ended by then, in order.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    /// Makes the error, for a test or a policy of your own.
    public init(_ urlRequest: URLRequest, limit: Duration, stage: Stage) {
        method = urlRequest.httpMethod
        url = urlRequest.url
        self.limit = limit
        self.stage = stage
    }

    /// That of a deadline, with the attempts that it knows.
    package init(_ urlRequest: URLRequest, at deadline: Deadline, stage: Stage) {
        self.init(urlRequest, limit: deadline.limit, stage: stage)
        earlierAttempts = deadline.history?.attempts ?? []
    }

    /// The key of the stage, as "DeadlineExceeded.receiving": see ``LocalizableError``.
    public var errorKey: String { "DeadlineExceeded.\(stage.rawValue)" }

    /// The request, its time limit, and the progress.
    public var errorDescription: String? {
        let request = ExchangeName(method: method, url: url)
        return switch stage {
        case .waiting:
            localizedText(
                """
                The deadline of \(limit, as: "limit") was over while \(request, as: "request") was waiting to be \
                sent.
                """
            )
        case .connecting:
            localizedText("\(request, as: "request") had no response before its deadline of \(limit, as: "limit").")
        case .sending:
            localizedText(
                "The body of \(request, as: "request") was not sent before its deadline of \(limit, as: "limit").")
        case .responding:
            localizedText(
                "\(request, as: "request") was sent, but not answered before its deadline of \(limit, as: "limit").")
        case .receiving:
            localizedText(
                """
                The response to \(request, as: "request") was not complete before its deadline of \
                \(limit, as: "limit").
                """
            )
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        ErrorText("Try again, or give it more time with deadline.").localized("DeadlineExceeded.advice")
    }
}

extension DeadlineExceeded {
    /// Whether both say the same about the request, without their ``earlierAttempts``, which contain any errors.
    public static func == (left: DeadlineExceeded, right: DeadlineExceeded) -> Bool {
        left.method == right.method && left.url == right.url && left.limit == right.limit && left.stage == right.stage
    }
}

extension DeadlineExceeded.Stage {
    /// The stage after a step.
    package init(after step: TransferStep) {
        self =
            switch step {
            case .none, .refused: .waiting
            case .started: .connecting
            case .sentSome: .sending
            case .sentAll: .responding
            case .answered: .receiving
            }
    }
}

extension DeadlineExceeded: RequestNamingError {}
