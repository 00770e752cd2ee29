/// Turns responses with an unacceptable status into errors, for each future of a dispatcher.
///
/// ```swift
/// let dispatcher = URLRequestDispatcher().retrying().validating()
/// let posts = try await dispatcher.dataFuture(from: request).decoded([Post].self).value.data
/// ```
///
/// The same as `validated()` on each future: by default any status from 200 to 299 is acceptable, but not a 304. Every
/// other status is an ``UnacceptableStatusError``. A response without HTTP is always acceptable. Without this policy a
/// status is data (contract rule STATUS of <doc:Contract>).
///
/// - **Data and uploads**: the error has the body, up to 1 MiB of it.
/// - **Downloads**: the error has the beginning of the body, at most 4 KiB. A status outside 200 to 299 leaves the file
///   as it was (contract rule FILES). A status from 200 to 299 that isn't acceptable here has still written the file.
/// - **Streams**: the beginning of the body is read for the error, at most 4 KiB, and for no longer than
///   ``streamedBodyTime``. Then the transfer is cancelled.
///
/// Around a retry it validates the last attempt. Inside one, a 503 is an error of the attempt, and the same rules apply
/// as after the status: it is retried, `Retry-After` counts, and the last error has the attempts before it.
///
/// Updates are passed on. A cancellation ends it at once, also while the beginning of a stream is read.
public struct ValidationPolicy: DispatcherPolicy, InlinePolicy {
    /// How long to wait for the beginning of a stream with an unacceptable status: one second. With zero it is not
    /// read.
    public var streamedBodyTime: Duration = .seconds(1)

    private let statuses: any Collection<Int> & Sendable
    private let clock: any Clock<Duration>

    /// Makes a policy that accepts these statuses.
    ///
    /// - Parameters:
    ///   - statuses: the numbers of the statuses: a range, an array, a set.
    ///   - clock: measures ``streamedBodyTime``.
    public init(
        _ statuses: some Collection<Int> & Sendable = 200..<300, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.statuses = statuses
        self.clock = clock
    }

    /// Makes a policy that accepts these statuses.
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

    func response<Content: Sendable>(
        of exchange: PendingExchange<Content>, in work: InlineWork
    ) async throws -> Response<Content> {
        guard exchange.kind != .stream else {
            return try await InnerFuture.value(of: future(of: exchange), for: work.run).value
        }
        return try await exchange.response(in: work).validated(statuses)
    }

    var endsPromptly: Bool { true }

    private func isAcceptable(_ response: some ResponseInterface) -> Bool {
        response.head.status.map { statuses.contains($0) } ?? true
    }

    /// The part of a stream that is read in time; `nil` if there is none.
    private func beginning(of body: StreamedBody) async -> BodyExcerpt? {
        let excerpt = Locked(BodyExcerpt(isPart: true))
        // A separate future, which ends in time even if the clock or the engine is slow to notice.
        let reading = ResponseFuture<Void> { () async throws in
            for try await chunk in body {
                let isCut = excerpt.withLock { excerpt in
                    excerpt.append(chunk)
                    return excerpt.isCut
                }
                if isCut { return }
            }
            excerpt.withLock { $0.end() }
        }
        _ = await reading.timeout(streamedBodyTime, clock: clock).result
        let read = excerpt.withLock { $0 }
        return read.isPart && read.length == 0 ? nil : read
    }
}

extension Response {
    /// The same response with the excerpt of the body for its error.
    fileprivate func keeping(_ excerpt: BodyExcerpt?) -> Response {
        var head = head
        head.unsavedBody = excerpt
        return Response(data: data, urlRequest: urlRequest, head: head)
    }
}

extension ValidationPolicy: CustomStringConvertible, CustomReflectable {
    /// The acceptable statuses: "ValidationPolicy(200..<300)".
    public var description: String { "ValidationPolicy(\(statuses))" }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
