// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A mock answers in the background: it can't count its calls in a local variable.

import Foundation
import PiuPiu

nonisolated func mock() -> MockURLRequestDispatcher {
    var count = 0
    return MockURLRequestDispatcher { request in
        // expected-error: mutation of captured var 'count' in concurrently-executing code
        count += 1
        return Response.makeMockResponse(with: request, jsonString: "{}", statusCode: .ok)
    }
}
