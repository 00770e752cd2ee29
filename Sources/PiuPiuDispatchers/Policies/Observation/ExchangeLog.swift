import Foundation

/// A plain text log of exchanges: a line for each event, or one for each exchange.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().observed(by: ExchangeLog())
/// // 2026-11-23T17:03:56.123Z #12 GET https://example.com/posts finished 200 in 12.5 ms, 0 bytes sent, 292 received
///
/// let file = ExchangeLog(.events) { line in logFile.append(line) }
/// ```
///
/// A line is the date in UTC (RFC 3339, with milliseconds), the number of the exchange, its request and the step, as
/// ``ExchangeEvent/description`` has them; with neither secrets nor line feeds. All parts but the text of the step have
/// no spaces. The date follows the time and the clock of the ``ObservationPolicy``.
public struct ExchangeLog: ExchangeObserver {
    /// The level of detail.
    public enum Detail: Sendable, Hashable {
        /// A line for each event.
        case events
        /// A line for each exchange, when it is over.
        case exchanges
    }

    /// The level of detail.
    public let detail: Detail

    private let write: @Sendable (String) -> Void

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - detail: the level of detail.
    ///   - write: takes a line without a line feed at its end; by default, lines are printed to the standard output,
    ///     which is buffered unless it is a terminal. Called like ``ExchangeObserver/observe(_:)``: by several exchanges
    ///     concurrently, one line at a time for each.
    public init(_ detail: Detail = .exchanges, write: @escaping @Sendable (_ line: String) -> Void = { print($0) }) {
        self.detail = detail
        self.write = write
    }

    /// Writes the line of the event, if it has one.
    public func observe(_ event: ExchangeEvent) {
        if detail == .exchanges {
            guard case .finished = event.step else { return }
        }
        write("\(Self.format.string(from: event.date) ?? "-") \(event)")
    }

    private static let format = RFC3339Format(fractionalDigits: 3)
}
