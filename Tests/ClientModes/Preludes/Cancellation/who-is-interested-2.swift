import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func send(_ request: URLRequest, by dispatcher: any DataDispatcher) async throws {
    // snippet
    print(receipt.status ?? .ok)
}
