// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import PewPew
import Testing

// As the release notes of 1.1.0 tell users to do it.

extension PewPew.ResponseError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .notFound: return "Not found, says the app."
        default: return errorKey
        }
    }
}

extension PewPew.RequestError: LocalizedError, CustomNSError {
    public static var errorDomain: String { return "App" }
    public var errorCode: Int { return 7 }
    public var errorDescription: String? { return errorKey }
}

extension SerializationError: LocalizedError {
    public var errorDescription: String? { return errorKey }
}

@Suite("A client of PewPew that localises the errors", .timeLimit(.minutes(10)))
struct LocalizedErrorsTests {
    @Test("The errors are the app's to localise")
    func texts() {
        let error: Error = ResponseError.notFound(cause: nil)
        #expect(error.localizedDescription == "Not found, says the app.")
        let requestError: Error = RequestError.missingServerProvider
        #expect((requestError as NSError).domain == "App")
        #expect((requestError as NSError).code == 7)
        #expect((requestError as? LocalizedError)?.errorDescription == "MissingServerProvider")
    }
}
