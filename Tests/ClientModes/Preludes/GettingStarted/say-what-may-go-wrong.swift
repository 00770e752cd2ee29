// with: a-dispatcher-a-request-a-future-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func showItem() async throws {
    // snippet
}
