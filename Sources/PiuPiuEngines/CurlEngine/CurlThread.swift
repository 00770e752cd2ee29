#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl

    /// The threads of loops. Foundation's don't say whether the system had one.
    package enum CurlThread {
        /// Starts a thread that calls `body`. Returns whether there is one.
        package typealias Start = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

        private final class Work: Sendable {
            let body: @Sendable () -> Void

            init(_ body: @escaping @Sendable () -> Void) {
                self.body = body
            }
        }

        /// Starts a thread of the system.
        package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            // Sound: the thread takes over the one reference; if there is none, it is released here.
            let work = Unmanaged.passRetained(Work(body))
            let isStarted = piu_thread_start(
                { context in
                    Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                    return nil
                }, work.toOpaque())
            if !isStarted { work.release() }
            return isStarted
        }
    }
#endif
