import Foundation

/// An adapter with a callback neither called it nor threw an error.
public enum AdapterError: LocalizableError, Equatable {
    /// The adapter released its callback without calling it, and threw no error.
    case callbackDropped(adapter: String)

    /// The key of the case, as "AdapterError.callbackDropped": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .callbackDropped: "AdapterError.callbackDropped"
        }
    }

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .callbackDropped(let adapter):
            localizedText(
                """
                \(adapter, as: "adapter") has not called its callback. In the adapter, call the callback once, or \
                throw, on each path.
                """)
        }
    }
}
