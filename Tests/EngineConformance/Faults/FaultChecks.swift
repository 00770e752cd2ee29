import Foundation
import LoopbackServer
import PiuPiu

/// The fault matrix: each kind of transfer with each fault.
enum FaultChecks {
    static let all = Fault.catalogue.flatMap { fault in TransferKind.allCases.map { check($0, fault) } }

    private static func check(_ kind: TransferKind, _ fault: Fault) -> EngineCheck {
        EngineCheck("\(kind), \(fault.name)") { stand in
            try kind.prepare(stand)
            let url = try fault.url(stand.server)
            let future = kind.future(of: url, on: stand, timeout: fault.timeout)
            switch kind == .download ? fault.ofDownload ?? fault.expectation : fault.expectation {
            case .failure(let kinds):
                let error = try expect(try await failure(of: "it") { try await future.value }, isOneOf: kinds)
                try expect(error.url != nil, "the error names no URL: \(error)")
                if !fault.redirects { try expect(error.url, is: url, "the URL of the error") }
                try kind.expectIntactDestination(on: stand)
            case .response(let status, let body):
                try check(kind, await future.value, status: status, body: body, on: stand)
            }
            try await stand.expectSoundEngine()
        }
    }

    private static func check(
        _ kind: TransferKind, _ result: TransferResult, status: Int, body: Data, on stand: EngineStand
    ) throws {
        try expect(result.status, is: status, "the status")
        if kind == .download, !(200...299).contains(status) || status == 204 {
            try kind.expectIntactDestination(on: stand)
        } else {
            try expect(result.body.count, is: body.count, "the length of the body")
            try expect(result.body == body, "other bytes than were sent")
            try kind.expectNothingBeside(on: stand)
        }
    }
}
