import Foundation

/// No future of several had a value: `firstSuccess(of:limit:)` and `race(_:)` of ``ResponseFuture`` fail with it.
public struct AllFuturesFailedError: LocalizableError {
    /// The errors of the futures, in the order of the futures, without those that were cancelled. Empty if there was no
    /// future at all.
    public let errors: [any Error]

    /// Makes the error of several.
    public init(errors: [any Error]) {
        self.errors = errors
    }

    /// The key of the text, as "AllFuturesFailedError.several": see ``LocalizableError``.
    public var errorKey: String {
        switch errors.count {
        case 0: "AllFuturesFailedError.none"
        case 1: "AllFuturesFailedError.one"
        default: "AllFuturesFailedError.several"
        }
    }

    /// A sentence for people: how many failed, and with what.
    public var errorDescription: String? {
        guard let first = errors.first?.localizedDescription else {
            return localizedText("There was no future to wait for. Give at least one.")
        }
        return errors.count == 1
            ? localizedText("\(first, as: "first")")
            : localizedText(
                """
                None of \(errors.count, as: "count") futures had a value. The first failed with: \
                \(first, as: "first")
                """)
    }
}
