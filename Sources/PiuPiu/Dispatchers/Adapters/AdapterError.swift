public import Foundation

/// An adapter in the form with a callback has done nothing.
public enum AdapterError: LocalizedError, Sendable, Equatable {
    /// The adapter let go of its callback without having called it, and threw no error either.
    case callbackDropped(adapter: String)

    /// What happened, and what to do about it.
    public var errorDescription: String? {
        switch self {
        case .callbackDropped(let adapter):
            "\(adapter) has not called its callback. Have it call the callback once, or throw, on each path."
        }
    }
}
