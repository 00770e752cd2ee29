import Logging
import PiuPiu

/// Writes exchanges to a logger of swift-log: ends, and all else where it is set to `debug`.
struct LoggingObserver: ExchangeObserver {
    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    func observe(_ event: ExchangeEvent) {
        let metadata: Logger.Metadata = ["exchange": "\(event.id)", "attempt": "\(event.attempt)"]
        guard case .finished(let summary) = event.step else {
            return logger.debug("\(event)", metadata: metadata)
        }
        logger.log(level: summary.error == nil ? .info : .warning, "\(event)", metadata: metadata)
    }
}
