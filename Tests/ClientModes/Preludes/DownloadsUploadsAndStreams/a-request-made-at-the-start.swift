// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated func signedRequest(_ path: String) throws -> URLRequest {
    URLRequest(url: URL(fileURLWithPath: path), method: .get)
}

nonisolated func isSignedIn() -> Bool { true }

func move(_ file: URL) async throws {
    // snippet
    print(try await film.value, try await upload.value, try await events.value)
}
