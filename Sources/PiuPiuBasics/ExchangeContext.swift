/// What an exchange passes on to everything inside it: a deadline, an observation, the attempts.
package protocol ExchangeContext: AnyObject, Sendable {}

/// The task-local value for that.
///
/// It is here, below the futures, because callbacks must not inherit it: a callback may start other work, which has
/// nothing to do with the exchange.
package enum ExchangeLocals {
    @TaskLocal package static var current: (any ExchangeContext)?

    /// Does something that is no part of the exchange that this task carries out.
    package static func withoutCurrent(_ operation: () -> Void) {
        if current == nil { operation() } else { $current.withValue(nil, operation: operation) }
    }
}
