extension Dispatching {
    /// This dispatcher with observers, which are notified of each exchange: its start, its steps and its end.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher().retrying().observed(by: ExchangeLog())
    /// ```
    ///
    /// For futures of all kinds and over every dispatcher, by the rules of ``ObservationPolicy``: exactly one end for
    /// each start, in order for each exchange, never on the main thread, and without secrets when an event is printed.
    ///
    /// - Parameter observers: notified in this order; with none, the dispatcher is unchanged.
    public func observed(by observers: any ExchangeObserver...) -> PolicyDispatcher<Self, ObservationPolicy> {
        applying(ObservationPolicy(observers))
    }
}

// The same for a dispatcher whose type isn't known, as with ``Dispatching/applying(_:)``.

extension DataDispatcher {
    /// This dispatcher with observers, which are notified of each exchange.
    @_disfavoredOverload
    public func observed(by observers: any ExchangeObserver...) -> any DataDispatcher {
        applying(ObservationPolicy(observers))
    }
}

extension DownloadDispatcher {
    /// This dispatcher with observers, which are notified of each exchange.
    @_disfavoredOverload
    public func observed(by observers: any ExchangeObserver...) -> any DownloadDispatcher {
        applying(ObservationPolicy(observers))
    }
}

extension UploadDispatcher {
    /// This dispatcher with observers, which are notified of each exchange.
    @_disfavoredOverload
    public func observed(by observers: any ExchangeObserver...) -> any UploadDispatcher {
        applying(ObservationPolicy(observers))
    }
}

extension StreamDispatcher {
    /// This dispatcher with observers, which are notified of each exchange.
    @_disfavoredOverload
    public func observed(by observers: any ExchangeObserver...) -> any StreamDispatcher {
        applying(ObservationPolicy(observers))
    }
}

extension RequestDispatcher {
    /// This dispatcher with observers, which are notified of each exchange.
    @_disfavoredOverload
    public func observed(by observers: any ExchangeObserver...) -> any RequestDispatcher {
        applying(ObservationPolicy(observers))
    }
}
