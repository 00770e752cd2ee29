import Foundation
public import PiuPiu

/// Too few requests were sent, or ended, while a test waited for them.
public struct ExchangesMissingError: LocalizableError {
    /// What the test waited for.
    public enum Stage: Sendable, Hashable {
        /// Requests that are sent: ``RecordingDispatcher/sent(_:within:clock:where:)``.
        case sent
        /// Requests that have ended: ``RecordingDispatcher/ended(_:within:clock:where:)``.
        case ended
    }

    /// What the test waited for.
    public let stage: Stage

    /// How many requests it waited for.
    public let expectedCount: Int

    /// How long it waited.
    public let limit: Duration

    /// All requests that were sent by then, whether they match the condition or not.
    public let exchanges: [RecordedExchange]

    /// How many of them match.
    public let count: Int

    package init(stage: Stage, expectedCount: Int, limit: Duration, exchanges: [RecordedExchange], count: Int) {
        self.stage = stage
        self.expectedCount = expectedCount
        self.limit = limit
        self.exchanges = exchanges
        self.count = count
    }

    /// The key of the stage, as "ExchangesMissingError.sent": see `LocalizableError`.
    public var errorKey: String {
        switch stage {
        case .sent: "ExchangesMissingError.sent"
        case .ended: "ExchangesMissingError.ended"
        }
    }

    /// How many requests are missing, and which there were.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch stage {
        case .sent:
            """
            Only \(count, as: "count") of \(expectedCount, as: "expected") requests were sent within \
            \("\(limit)", as: "limit"). \(list, as: "list") Check what sends them, or wait longer.
            """
        case .ended:
            """
            Only \(count, as: "count") of \(expectedCount, as: "expected") requests have ended within \
            \("\(limit)", as: "limit"). \(list, as: "list") Check what answers them, or wait longer.
            """
        }
    }

    private var list: String {
        // The last one may end with the sentence of an error.
        let texts = exchanges.map(\.description).joined(separator: "; ").withoutFullStop
        return exchanges.isEmpty
            ? ErrorText("There were no requests at all.").localized("ExchangesMissingError.none")
            : ErrorText("There were: \(texts, as: "exchanges").").localized("ExchangesMissingError.list")
    }
}
