/// Turns responses whose status isn't acceptable into errors, for each future of a dispatcher.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().retrying().validating()
/// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value.data
/// ```
///
/// The same as `validated()` on each future: any status from 200 to 299 is acceptable unless others are named, every
/// other is an ``UnacceptableStatusError``, and a response without HTTP passes. A 304 is none of them. Without it a
/// status is data (contract rule STATUS of <doc:Contract>).
///
/// - **Data and uploads** the error has the beginning of the body.
/// - **Downloads** too. A status that isn't from 200 to 299 has left the file as it was (contract rule FILES); one of
///   those that isn't acceptable here has brought its file all the same.
/// - **Streams** what the server sends first is read for the error: 4 KiB at the most, and for no longer than
///   ``streamedBodyTime``. Then the transfer is given up.
///
/// Over a retry it judges the last attempt. Under one a 503 is an error of the attempt, after which the same rules hold as
/// after the status: it is tried again, `Retry-After` counts, and the last error tells of the attempts before it.
///
/// Updates pass through. A cancellation ends it at once, while the beginning of a stream is read too.
public struct ValidationPolicy: DispatcherPolicy, InlinePolicy {
    /// How long the beginning of a stream whose status isn't acceptable is waited for: a second. With no time at all it is
    /// not read.
    public var streamedBodyTime: Duration = .seconds(1)

    private let statuses: any Collection<Int> & Sendable
    private let clock: any Clock<Duration>

    /// Makes a policy by which these statuses are acceptable.
    ///
    /// - Parameters:
    ///   - statuses: the numbers of the statuses: a range, an array, a set.
    ///   - clock: what measures ``streamedBodyTime``.
    public init(
        _ statuses: some Collection<Int> & Sendable = 200..<300, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.statuses = statuses
        self.clock = clock
    }

    /// Makes a policy by which these statuses are acceptable.
    public init(_ statuses: some Collection<StatusCode> & Sendable, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(statuses.map(\.rawValue), clock: clock)
    }

    /// The future of the exchange, which fails if the status of its response isn't acceptable.
    public func future<Content: Sendable>(of exchange: PendingExchange<Content>) -> ResponseFuture<Response<Content>> {
        guard exchange.kind == .stream else { return makeFuture(of: exchange) }
        return exchange.makeFuture()
            .then { [self] response async throws in
                guard let body = response.data as? StreamedBody, !isAcceptable(response) else { return response }
                return response.keeping(await beginning(of: body))
            }
            .validated(statuses)
    }

    package func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard exchange.kind != .stream else {
            return try await InnerFuture.value(of: future(of: exchange), for: work.run).value
        }
        return try await exchange.response(in: work).validated(statuses)
    }

    package var endsPromptly: Bool { true }

    private func isAcceptable(_ response: some ResponseInterface) -> Bool {
        response.head.status.map { statuses.contains($0) } ?? true
    }

    /// What is read of a stream in time; `nil` if that is nothing.
    private func beginning(of body: StreamedBody) async -> BodyExcerpt? {
        let excerpt = Locked(BodyExcerpt(isPart: true))
        // A future of its own: it ends in time even by a clock, or an engine, that is slow to notice.
        let reading = ResponseFuture<Void> { () async throws in
            for try await chunk in body {
                let isFull = excerpt.withLock { excerpt in
                    excerpt.append(chunk)
                    return excerpt.isFull
                }
                if isFull { return }
            }
            excerpt.withLock { $0.end() }
        }
        _ = await reading.timeout(streamedBodyTime, clock: clock).result
        let read = excerpt.withLock { $0 }
        return read.isPart && read.length == 0 ? nil : read
    }
}

extension Response {
    /// The same response with what its error is to tell of the body.
    fileprivate func keeping(_ excerpt: BodyExcerpt?) -> Response {
        var head = head
        head.unsavedBody = excerpt
        return Response(data: data, urlRequest: urlRequest, head: head)
    }
}

extension ValidationPolicy: CustomStringConvertible, CustomReflectable {
    /// The statuses that are acceptable: "ValidationPolicy(200..<300)".
    public var description: String { "ValidationPolicy(\(statuses))" }

    /// Nothing but what the description tells.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
