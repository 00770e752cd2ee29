import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

func load(_ request: URLRequest, by dispatcher: URLRequestDispatcher) async throws {
    // snippet
    print(try await film.value.data)
}
