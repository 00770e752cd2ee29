import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func pin(currentKey: String, nextKey: String) throws {
    // snippet
    _ = pinned
}
