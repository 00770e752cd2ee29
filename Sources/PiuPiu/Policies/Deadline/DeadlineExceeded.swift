public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request was not done in the time that ``Dispatching/deadline(_:clock:)`` gave it.
///
/// ```swift
/// do {
///     posts = try await dispatcher.deadline(.seconds(5)).dataFuture(from: request).decoded([Post].self).value.data
/// } catch let error as DeadlineExceeded {
///     show(error.localizedDescription)
/// }
/// ```
///
/// It is no cancellation: `error` callbacks get it, and a `recover` may answer it. The transfer was cancelled.
///
/// The description leaves out the user name, the password and the query of the URL; ``url`` has them all.
public struct DeadlineExceeded: LocalizableError, Equatable {
    /// What was under way when the time was over, as far as the updates told it.
    public enum Stage: String, Sendable, Hashable, CaseIterable {
        /// Nothing was: the request waited for an adapter, for the next attempt, or was not sent as there was no time at all.
        case waiting
        /// It waited for its turn, for the connection, or for the response, having no body to send that tells them apart.
        case connecting
        /// A part of its body had been sent.
        case sending
        /// All of its body had been sent, and nothing of the response had come.
        case responding
        /// The head of the response had come, and its body had not.
        case receiving
    }

    /// The method of the request, such as "GET".
    public let method: String?

    /// The URL of the request, as it was asked for.
    public let url: URL?

    /// How much time there was in all.
    public let limit: Duration

    /// What was under way.
    public let stage: Stage

    /// The attempts that had ended by then, in order, if a ``RetryPolicy`` has made some.
    public package(set) var earlierAttempts: [ExchangeAttempt] = []

    /// Makes the error that a request fails with, for a test or a policy of your own.
    public init(_ urlRequest: URLRequest, limit: Duration, stage: Stage) {
        method = urlRequest.httpMethod
        url = urlRequest.url
        self.limit = limit
        self.stage = stage
    }

    /// That of a deadline, with the attempts that it knows.
    init(_ urlRequest: URLRequest, at deadline: Deadline, stage: Stage) {
        self.init(urlRequest, limit: deadline.limit, stage: stage)
        earlierAttempts = deadline.history?.attempts ?? []
    }

    /// The key of the stage, as "DeadlineExceeded.receiving": see ``LocalizableError``.
    public var errorKey: String { "DeadlineExceeded.\(stage.rawValue)" }

    /// The request, its time, and what was under way.
    public var errorDescription: String? {
        let request = ExchangeName(method: method, url: url)
        return switch stage {
        case .waiting:
            localizedText("\(request, as: "request") was not sent before its deadline of \(limit, as: "limit").")
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
                "The response to \(request, as: "request") was not complete before its deadline of \(limit, as: "limit")."
            )
        }
    }

    /// What can be done about it.
    public var recoverySuggestion: String? {
        ErrorText("Try again, or give it more time with deadline.").localized("DeadlineExceeded.advice")
    }
}

extension DeadlineExceeded {
    /// Whether both tell the same of the request; the ``earlierAttempts``, which hold errors of any kind, don't count.
    public static func == (left: DeadlineExceeded, right: DeadlineExceeded) -> Bool {
        left.method == right.method && left.url == right.url && left.limit == right.limit && left.stage == right.stage
    }
}

extension DeadlineExceeded.Stage {
    /// What is under way after a step.
    package init(after step: TransferStep) {
        self =
            switch step {
            case .none: .waiting
            case .started: .connecting
            case .sentSome: .sending
            case .sentAll: .responding
            case .answered: .receiving
            }
    }
}
