import Foundation
public import PiuPiu

/// Too few requests were sent, or have ended, in the time that a test waits for them.
public struct ExchangesMissingError: LocalizableError {
    /// What was waited for.
    public enum Stage: Sendable, Hashable {
        /// That requests are sent: ``RecordingDispatcher/sent(_:within:clock:where:)``.
        case sent
        /// That they have ended: ``RecordingDispatcher/ended(_:within:clock:where:)``.
        case ended
    }

    /// What was waited for.
    public let stage: Stage

    /// For how many requests.
    public let expectedCount: Int

    /// For how long.
    public let limit: Duration

    /// What was there in the end: all that were sent, whether they count or not.
    public let exchanges: [RecordedExchange]

    /// How many of them count.
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

    /// How many are missing, and what was there.
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
        exchanges.isEmpty
            ? ErrorText("There were no requests at all.").localized("ExchangesMissingError.none")
            : ErrorText("There were: \(exchanges.map(\.description).joined(separator: "; "), as: "exchanges").")
                .localized("ExchangesMissingError.list")
    }
}
