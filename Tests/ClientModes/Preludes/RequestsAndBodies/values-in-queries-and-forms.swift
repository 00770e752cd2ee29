import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct Search: Encodable {
    var text: String
    var tags: [String]
    var page: Int?
}

func send(_ request: inout URLRequest, to searchURL: URL) throws {
    // snippet
}
