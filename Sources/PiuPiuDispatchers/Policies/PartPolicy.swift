/// A policy that only acts before and after everything below it, so it needs no asynchronous function of its own.
protocol PartPolicy: InlinePolicy {
    /// Begins its part in an exchange.
    ///
    /// - Parameter attempt: the exchange, which this policy may change.
    /// - Returns: the part; `nil` if the exchange needs ``futureApart(of:)``. Throws if it must not begin.
    func begin(_ attempt: inout PolicyAttempt) throws -> PolicyPart?

    /// A future of the exchange, with a run of its own.
    func futureApart<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>>
}

extension PartPolicy {
    func futureApart<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        future(of: exchange)
    }

    func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard let course = try begin(exchange, in: work) else {
            return try await InnerFuture.value(of: futureApart(of: exchange), for: work.run).value
        }
        return try await exchange.response(by: course)
    }

    // Not inlined, to keep the frames of functions that suspend small: they are on the heap.
    @inline(never)
    private func begin<Content: Sendable>(
        _ exchange: PendingExchange<Content>, in work: InlineWork
    ) throws -> PolicyCourse? {
        let course = PolicyCourse(exchange, in: work)
        return try course.beginFirst { try begin(&$0) } == nil ? nil : course
    }
}
