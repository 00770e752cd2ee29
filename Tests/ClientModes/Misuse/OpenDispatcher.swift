// refused-in: swift5, swift5-complete, swift6, swift6-main-actor

// A class that others may inherit from can't promise to be Sendable.

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// expected-error: non-final class 'BaseDispatcher' cannot conform to the 'Sendable' protocol
nonisolated class BaseDispatcher: DataDispatcher {
    func dataFuture(from urlRequest: URLRequest) -> ResponseFuture<Response<Data?>> {
        URLRequestDispatcher().dataFuture(from: urlRequest)
    }
}
