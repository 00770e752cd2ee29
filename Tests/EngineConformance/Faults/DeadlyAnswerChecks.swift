import Foundation
import LoopbackServer
import PiuPiu

/// Valid trailers, the end of a connection in the middle of the headers, and a length near 2^63.
enum DeadlyAnswerChecks {
    static let all = TransferKind.allCases.flatMap { kind in
        [
            check(kind, "trailers") { try expect($0.get().body, is: Data("body".utf8), "the body") },
            check(kind, "close-mid-head") { try failing($0, [.connectionLost, .badResponse, .truncated]) },
            check(kind, "huge-length") { try failing($0, [.truncated, .connectionLost, .badResponse, .bodyTooLarge]) },
        ]
    }

    private static func check(
        _ kind: TransferKind, _ name: String,
        _ expectation: @escaping @Sendable (Result<TransferResult, any Error>) throws -> Void
    ) -> EngineCheck {
        EngineCheck("\(kind), \(name)") { stand in
            try kind.prepare(stand)
            let future = kind.future(of: stand.server.url("/fault/\(name)"), on: stand)
            let result: Result<TransferResult, any Error>
            do { result = .success(try await future.value) } catch { result = .failure(error) }
            try expectation(result)
            if case .failure = result { try kind.expectIntactDestination(on: stand) }
            try kind.expectNothingBeside(on: stand)
            try await stand.expectSoundEngine()
        }
    }

    private static func failing(
        _ result: Result<TransferResult, any Error>, _ kinds: [TransferError.Kind]
    ) throws {
        guard case .failure(let error) = result else { throw EngineMisbehaviour("it has succeeded") }
        try expect(error, isOneOf: kinds)
    }
}
