import Foundation
import NetworkKit
import TestSupport
import Testing

@Suite("The errors of NetworkKit", .timeLimit(.minutes(10)))
struct LocalizedErrorTests {
    private let errors: [any BaseNetworkError] = [
        RequestError.invalidURL(cause: Mishap()), RequestError.missingServerProvider,
        SerializationError.failedToDecodeResponseData(cause: nil), SerializationError.unexpectedEmptyResponse,
        ResponseError.badRequest(cause: nil), ResponseError.unauthorized(cause: nil),
        ResponseError.forbidden(cause: nil), ResponseError.notFound(cause: nil), ResponseError.conflict(cause: nil),
        ResponseError.unprocessableEntity(cause: nil), ResponseError.internalServerError(cause: nil),
        ResponseError.serviceUnavailable(cause: nil), ResponseError.otherClientError(cause: nil),
        ResponseError.otherServerError(cause: nil), ResponseError.unknown(cause: nil),
    ]

    @Test("Each has a text outside a bundle too: what happened, and what to do")
    func texts() {
        for error in errors {
            let reason = error.failureReason ?? "", suggestion = error.recoverySuggestion ?? ""
            #expect(reason.hasSuffix(".") && suggestion.hasSuffix("."), "\(error.errorKey)")
            #expect(error.localizedDescription == "\(reason) \(suggestion)")
        }
        #expect(Set(errors.map(\.errorKey)).count == errors.count)
    }

    @Test("Each has the domain of its type and the code of its case")
    func codes() {
        #expect(errors.map { ($0 as NSError).code } == [0, 1, 0, 1] + Array(0...10))
        #expect(
            Set(errors.map { ($0 as NSError).domain })
                == ["NetworkKit.RequestError", "NetworkKit.SerializationError", "NetworkKit.ResponseError"])
    }
}
