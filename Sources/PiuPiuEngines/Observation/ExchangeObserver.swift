/// Observes exchanges: a log, a meter, a trace.
///
/// ```swift
/// struct SlowRequests: ExchangeObserver {
///     func observe(_ event: ExchangeEvent) {
///         if case .finished(let summary) = event.step, summary.duration > .seconds(2) { report("slow: \(event)") }
///     }
/// }
///
/// let dispatcher = URLRequestDispatcher().observed(by: SlowRequests())
/// ```
///
/// See ``Dispatching/observed(by:)`` and the article <doc:Observing>.
public protocol ExchangeObserver: Sendable {
    /// Called with each event of an exchange.
    ///
    /// Called where the event happens, and never on the main thread. Return quickly: the exchange waits meanwhile, and
    /// on the thread of an engine others may wait, too. The events of one exchange arrive one at a time and in order;
    /// those of several exchanges arrive concurrently.
    ///
    /// For ``ExchangeEvent/Step/started`` the task-local values are those of the task that started the exchange.
    func observe(_ event: ExchangeEvent)
}

/// An observer that calls a closure; made by ``ExchangeObserver/closure(_:)``.
public struct ClosureObserver: ExchangeObserver {
    private let body: @Sendable (ExchangeEvent) -> Void

    fileprivate init(_ body: @escaping @Sendable (ExchangeEvent) -> Void) {
        self.body = body
    }

    /// Calls the closure.
    public func observe(_ event: ExchangeEvent) { body(event) }
}

extension ExchangeObserver where Self == ClosureObserver {
    /// An observer that calls a closure.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().observed(by: .closure { event in print(event) })
    /// ```
    ///
    /// - Parameter body: is called like ``ExchangeObserver/observe(_:)``.
    public static func closure(_ body: @escaping @Sendable (ExchangeEvent) -> Void) -> ClosureObserver {
        ClosureObserver(body)
    }
}
