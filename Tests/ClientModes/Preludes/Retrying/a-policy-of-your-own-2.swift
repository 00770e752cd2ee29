import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated func gzipped(_ data: Data) -> Data { data }

// snippet
