import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func show(_ response: Response<Data?>, _ cache: HTTPCache) {
    // snippet
}
