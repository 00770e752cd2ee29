import Foundation

/// The part of an ``ObservationPolicy`` in one exchange: reports its end.
final class ObservationPart: PolicyPart {
    private let observation: ExchangeObservation

    init(_ observation: ExchangeObservation) {
        self.observation = observation
        super.init()
    }

    override func end(_ exchange: PolicyCourse, length: () -> Int64) -> Turn {
        switch exchange.outcome {
        case .response(let head):
            if let body = exchange.stream {
                exchange.stream = body.observed(by: observation, after: head)
            } else {
                observation.end(head, received: length, sending: exchange.attempt.body)
            }
        case .failure(let error): observation.end(with: error)
        case .cancelled: observation.end(.cancelled)
        }
        return .over
    }
}
