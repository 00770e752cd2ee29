import Foundation

/// The part of an ``ObservationPolicy`` in one exchange: reports its end.
final class ObservationPart<Content: Sendable>: PolicyPart<Content> {
    private let observation: ExchangeObservation
    private let isStream: Bool
    private let body: TransferBody

    init(_ observation: ExchangeObservation, _ attempt: PolicyAttempt) {
        self.observation = observation
        isStream = attempt.kind == .stream
        body = attempt.body
        super.init()
    }

    #if compiler(>=6.3)
        @specialized(where Content == Data?)
    #endif
    override func end(with outcome: inout Outcome) -> Turn {
        switch outcome {
        case .success(let response) where isStream:
            outcome = .success(response.observed(by: observation))
        case .success(let response):
            observation.end(response, to: body)
        case .failure(let error):
            observation.end(with: error)
        }
        return .over
    }
}
