import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of a ``DeadlinePolicy`` in one exchange: it ends everything below when the time is over.
final class DeadlinePart: PolicyPart {
    /// The request as it was asked for.
    private let urlRequest: URLRequest
    private let deadline: Deadline
    let alarm: DeadlineAlarm
    /// Cancels the work below; `nil` if the alarm settles the run of the future.
    private let cancellation: PartialCancellation?

    /// A part that cancels the work below, which ends as soon as it is cancelled.
    init(cancelling attempt: inout PolicyAttempt, at deadline: Deadline) {
        let cancellation = PartialCancellation()
        urlRequest = attempt.urlRequest
        self.deadline = deadline
        self.cancellation = cancellation
        // The outcome comes from below, and must not wait for a client there (rule D2).
        alarm = deadline.alarm { _ in TaskCancellation.apart { cancellation.cancel() } }
        attempt.work.cancellation = cancellation
        attempt.context.deadline = deadline
        super.init()
    }

    /// A part that settles the run of the future, whatever the work below does.
    init(settling attempt: inout PolicyAttempt, at deadline: Deadline) {
        urlRequest = attempt.urlRequest
        self.deadline = deadline
        cancellation = nil
        let (urlRequest, run) = (attempt.urlRequest, attempt.work.run)
        alarm = deadline.alarm { clockFailure in
            // The work is cancelled with this.
            run.settle(FutureOutcome(failure: clockFailure ?? Self.error(of: urlRequest, at: deadline, in: run)))
        }
        attempt.context.deadline = deadline
        super.init()
    }

    override func end(_ exchange: PolicyCourse, length: () -> Int64) -> Turn {
        alarm.cancel()
        let isDue: Bool
        switch exchange.outcome {
        case .response:
            isDue = isCancelled
            // What is delivered is the head alone.
            if !isDue, let body = exchange.stream {
                body.fail(at: deadline, with: DeadlineExceeded(urlRequest, at: deadline, stage: .receiving))
            }
        case .failure(let failure):
            // The engine's own timeout is no later.
            isDue = !(failure is DeadlineExceeded) && deadline.isOver
        case .cancelled:
            isDue = isCancelled && !Task.isCancelled
        }
        if isDue {
            exchange.fail(with: Self.error(of: urlRequest, at: deadline, in: exchange.attempt.work.run))
        }
        return .over
    }

    private var isCancelled: Bool { cancellation?.isCancelled == true }

    private static func error(
        of urlRequest: URLRequest, at deadline: Deadline, in run: FutureRun
    ) -> DeadlineExceeded {
        DeadlineExceeded(urlRequest, at: deadline, stage: DeadlineExceeded.Stage(after: run.latestStep))
    }
}
