// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// An adapter is Sendable: its requests run side by side.

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated final class Numbering: RequestAdapter {
    // expected-error: stored property 'number' of 'Sendable'-conforming class 'Numbering' is mutable
    private var number = 0

    @concurrent
    func adapt(_ urlRequest: URLRequest) async throws -> URLRequest {
        number += 1
        var request = urlRequest
        request.setValue("\(number)", forHTTPHeaderField: "X-Number")
        return request
    }
}
