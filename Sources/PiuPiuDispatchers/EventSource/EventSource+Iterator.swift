import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension EventSource {
    /// Returns the events one by one, and makes the connections. Only one task at a time can use it.
    public struct Iterator: AsyncIteratorProtocol {
        private typealias Events = ParsedElements<ServerSentEventParser>

        private let source: EventSource
        private var course: EventSourceCourse
        private var events: Events?
        /// Shared by all connections: none of them is made for the next user.
        private let sessions: ReconnectingSessions
        /// The scopes that the last connection belongs to.
        private var scopes: [ScopeMembers]
        private var isOver = false

        init(of source: EventSource) {
            self.source = source
            sessions = ReconnectingSessions(of: source.urlRequest)
            scopes = (source.dispatcher as? any ScopeBinding)?.scopes ?? []
            course = EventSourceCourse(
                lastEventID: source.lastEventID ?? "", reconnectionTime: source.reconnectionTime,
                maximumDelay: source.maximumDelay)
        }

        /// The `Last-Event-ID` of the next connection: the server's latest identifier, with an event or without; `nil`
        /// if there is nothing to send.
        public var lastEventID: String? { course.lastEventID.isEmpty ? nil : course.lastEventID }

        /// The next event, as soon as there is one; `nil` when the server has signalled the end.
        ///
        /// - Throws: see ``EventSource``; `CancellationError` if the task was cancelled.
        public mutating func next() async throws -> ServerSentEvent? {
            guard !isOver else { return nil }
            do {
                while true {
                    try Task.checkCancellation()
                    let step = try await events == nil ? connect() : read()
                    switch step {
                    case .event(let event): return event
                    case .goOn: continue
                    case .end:
                        end()
                        return nil
                    case .wait(let delay, let error): try await wait(delay, after: error)
                    }
                }
            } catch {
                end()
                throw error.isCancellation ? CancellationError() : error
            }
        }

        /// Sends the request, and checks the head of the response.
        private mutating func connect() async throws -> EventSourceCourse.Step {
            source.stateObserver?(.connecting)
            let response: Response<StreamedBody>
            do {
                var context = PolicyContext.current
                context.reconnecting = sessions
                let request = course.request(from: source.urlRequest)
                response = try await ExchangeLocals.$current.withValue(context.local) { [source] in
                    try await source.dispatcher.streamFuture(from: request).value
                }
            } catch {
                return try lost(error)
            }
            // Also those of a dispatcher inside a wrapper, whose scopes are unknown until it has made a body.
            scopes = response.data.scopes
            guard try course.answered(response) else { return .end }
            let parser = ServerSentEventParser(limit: source.limit, lastEventID: course.lastEventID)
            events = ParsedElements(response.data.makeAsyncIterator(), parser)
            source.stateObserver?(.open)
            return .goOn
        }

        /// Reads the next event.
        private mutating func read() async throws -> EventSourceCourse.Step {
            var failure: (any Error)?
            do {
                if let event = try await events?.next() {
                    course.received(event)
                    return .event(event)
                }
            } catch {
                failure = error
            }
            note()
            return try lost(failure)
        }

        /// What follows a connection that failed or was lost; without an error, the server has closed it.
        private mutating func lost(_ error: (any Error)?) throws -> EventSourceCourse.Step {
            // Only that of the task: one of the dispatcher is for each connection anew.
            let deadline = Deadline.current.map {
                (timeLeft: $0.remaining, error: DeadlineExceeded(source.urlRequest, limit: $0.limit, stage: .waiting))
            }
            return try course.lost(error, isCancelled: Task.isCancelled, deadline: deadline, random: source.random)
        }

        /// Keeps what the server has sent without an event, and releases the connection.
        ///
        /// Events that a cancellation has kept back are for the next connection.
        private mutating func note() {
            if let events, !events.hasMore {
                course.ended(lastEventID: events.parser.lastEventID, retry: events.parser.retry)
            }
            events = nil
        }

        private func wait(_ delay: Duration, after error: (any Error)?) async throws {
            // A future's wait, so that a cancellation ends it at once even with a clock that doesn't notice one.
            let wait = ResponseFuture<Void>.after(delay, clock: source.clock)
            // A scope of the dispatcher ends the source while it is connected; so it does now.
            for scope in scopes { wait.bind(to: scope) }
            source.stateObserver?(.waiting(delay, after: error))
            if delay > .zero { try await wait.value } else if wait.status == .cancelled { throw CancellationError() }
        }

        private mutating func end() {
            isOver = true
            events = nil
        }
    }
}

@available(*, unavailable)
extension EventSource.Iterator: Sendable {}
