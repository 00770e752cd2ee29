// with: README/sixty-seconds-1

import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func saveReports(from request: URLRequest, to folder: URL) async throws {
    // snippet
}
