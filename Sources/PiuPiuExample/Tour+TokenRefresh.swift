import Foundation
import PiuPiu
import PiuPiuTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Tour {
    /// Ten requests with an expired token: one refresh, and no request fails.
    func tokenRefresh() async throws {
        let server = TokenServer()

        let session = Authenticator.bearer(BearerToken("old", refreshToken: "r1"), for: baseURL) { old in
            var renewal = request("token")
            renewal.httpMethod = "POST"
            renewal.setFormBody(["grant_type": "refresh_token", "refresh_token": old.refreshToken ?? ""])
            return try await server.api.dataFuture(from: renewal).validated().decoded(BearerToken.self).value.data
        }
        let client = server.api.authenticated(by: session).validating()

        try await withThrowingTaskGroup { group in
            for id in 1...10 {
                group.addTask { _ = try await client.dataFuture(from: request("posts/\(id)")).value }
            }
            try await group.waitForAll()
        }
        let renewals = server.api.exchanges.filter { $0.urlRequest.url?.lastPathComponent == "token" }
        transcript.expect(renewals.count == 1, "ten requests with an old token: one refresh")
        session.removeCredential()
        do {
            _ = try await client.dataFuture(from: request("posts/1")).value
            transcript.expect(false, "after a sign-out requests have no token")
        } catch let error as UnacceptableStatusError {
            transcript.expect(error.statusCode == .unauthorized, "after a sign-out: \(error.statusCode.rawValue)")
        }
    }
}

/// A server that accepts one token, the one that it issues.
private struct TokenServer {
    let api = RecordingDispatcher(
        MockRouteTable(routes: [
            MockRoute(.post, ["token"], .json(["access_token": "new", "refresh_token": "r2"])),
            MockRoute(.get, ["posts", .wildcard(type: .integer)]) { request, _ in
                let isKnown = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                return Response.makeMockResponse(with: request, statusCode: isKnown ? .ok : .unauthorized)
            },
        ]))
}
