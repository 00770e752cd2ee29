import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func suspend(_ cache: HTTPCache) async {
    // snippet
}
