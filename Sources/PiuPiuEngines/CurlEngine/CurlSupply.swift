#if canImport(CPiuPiuCurl)
    import Foundation

    /// A chunk of a request's body, and who waits to know whether to supply another one.
    ///
    /// A class, as a continuation has no fixed layout: the runtime would copy each command that may have one.
    final class CurlSupply: Sendable {
        /// The chunk, `nil` for the end, or the error.
        let chunk: Result<Data?, any Error>
        private let continuation: CheckedContinuation<Bool, Never>

        init(_ chunk: Result<Data?, any Error>, _ continuation: CheckedContinuation<Bool, Never>) {
            self.chunk = chunk
            self.continuation = continuation
        }

        /// Says whether to supply another chunk; once.
        func answer(_ wantsMore: Bool) { continuation.resume(returning: wantsMore) }
    }
#endif
