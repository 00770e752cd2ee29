import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a ``DeadlinePolicy`` in one exchange: it ends everything below when the time is over.
final class DeadlinePart<Content: Sendable>: PolicyPart<Content> {
    /// The request as it was asked for.
    private let urlRequest: URLRequest
    private let deadline: Deadline
    private let run: FutureRun
    private let isStream: Bool
    let alarm: DeadlineAlarm
    /// Cancels the work below; `nil` if the alarm settles the run of the future.
    private let cancellation: PartialCancellation?

    /// A part that cancels the work below, which ends as soon as it is cancelled.
    init(cancelling attempt: inout PolicyAttempt, at deadline: Deadline) throws {
        let cancellation = PartialCancellation()
        try deadline.check(attempt.urlRequest)
        urlRequest = attempt.urlRequest
        self.deadline = deadline
        run = attempt.work.run
        isStream = attempt.kind == .stream
        self.cancellation = cancellation
        alarm = deadline.alarm { _ in cancellation.cancel() }
        attempt.work.cancellation = cancellation
        attempt.context.deadline = deadline
        super.init()
    }

    /// A part that settles the run of the future, whatever the work below does.
    init(settling attempt: inout PolicyAttempt, at deadline: Deadline) throws {
        try deadline.check(attempt.urlRequest)
        urlRequest = attempt.urlRequest
        self.deadline = deadline
        run = attempt.work.run
        isStream = attempt.kind == .stream
        cancellation = nil
        let (urlRequest, run) = (attempt.urlRequest, attempt.work.run)
        alarm = deadline.alarm { clockFailure in
            // The work is cancelled with this.
            run.settle(FutureOutcome(failure: clockFailure ?? Self.error(of: urlRequest, at: deadline, in: run)))
        }
        attempt.context.deadline = deadline
        super.init()
    }

    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    override func end(with outcome: inout Outcome) -> Turn {
        alarm.cancel()
        switch outcome {
        case .success(let response):
            if cancellation?.isCancelled == true {
                outcome = .failure(error)
            } else if isStream, let body = response.data as? StreamedBody {
                // What is delivered is the head alone.
                body.fail(at: deadline, with: DeadlineExceeded(urlRequest, at: deadline, stage: .receiving))
            }
        case .failure(let failure) where failure is DeadlineExceeded:
            break
        case .failure(let failure):
            // The engine's own timeout is no later.
            let isDue =
                failure.isCancellation ? cancellation?.isCancelled == true && !Task.isCancelled : deadline.isOver
            if isDue { outcome = .failure(error) }
        }
        return .over
    }

    private var error: DeadlineExceeded { Self.error(of: urlRequest, at: deadline, in: run) }

    private static func error(
        of urlRequest: URLRequest, at deadline: Deadline, in run: FutureRun
    ) -> DeadlineExceeded {
        DeadlineExceeded(urlRequest, at: deadline, stage: DeadlineExceeded.Stage(after: run.latestStep))
    }
}
