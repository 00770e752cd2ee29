// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A dispatcher is Sendable: a future retains it, and any thread may start the future.

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated final class CountingDispatcher: DataDispatcher {
    // expected-error: stored property 'count' of 'Sendable'-conforming class 'CountingDispatcher' is mutable
    var count = 0

    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        count += 1
        return URLRequestDispatcher().dataFuture(from: urlRequest)
    }
}
