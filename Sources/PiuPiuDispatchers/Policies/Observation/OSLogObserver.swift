#if canImport(os)
    public import os

    /// Writes exchanges to Apple's unified log: ends as notices or errors, everything else for debugging.
    ///
    /// ```swift
    /// let logger = Logger(subsystem: "com.example.app", category: "network")
    /// let dispatcher = URLRequestDispatcher().observed(by: OSLogObserver(logger))
    /// ```
    ///
    /// The text is ``ExchangeEvent/description``, which has no secrets: it is public in the log.
    public struct OSLogObserver: ExchangeObserver {
        private let logger: Logger

        /// Makes an observer that writes with this logger.
        public init(_ logger: Logger) {
            self.logger = logger
        }

        /// Writes the event.
        public func observe(_ event: ExchangeEvent) {
            guard case .finished(let summary) = event.step else {
                logger.debug("\(event.description, privacy: .public)")
                return
            }
            if summary.error == nil {
                logger.notice("\(event.description, privacy: .public)")
            } else {
                logger.error("\(event.description, privacy: .public)")
            }
        }
    }
#endif
