import Synchronization

/// The number of an observed exchange, which identifies its events: unique in the process.
///
/// ```swift
/// logger.debug("\(event.id) \(event.step)")      // #12 started
/// ```
public struct ExchangeID: Sendable, Hashable {
    /// The number, 1 for the first exchange that was observed.
    public let rawValue: UInt64

    private static let last = Atomic<UInt64>(0)

    /// The number of the next exchange.
    static func next() -> ExchangeID {
        ExchangeID(rawValue: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// The exchange that this task works for, for adapters and policies; `nil` outside of observed exchanges.
    ///
    /// Of nested observations it is the innermost. Tasks started in an exchange inherit it.
    public static var current: ExchangeID? { PolicyContext.current.exchangeID }
}

extension ExchangeID: CustomStringConvertible {
    /// The number after a hash sign: "#12".
    public var description: String { "#\(rawValue)" }
}
