// with: README/sixty-seconds-1

import Foundation
import PiuPiu
import PiuPiuTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func mock() {
    // snippet
}
