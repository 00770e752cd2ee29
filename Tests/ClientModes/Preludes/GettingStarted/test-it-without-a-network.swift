// with: a-dispatcher-a-request-a-future-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func showMock(of request: URLRequest) async throws {
    // snippet
}
