import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Container: Decodable, Sendable {}

func containers(_ containersURL: URL) async throws {
    // snippet
    #if os(Linux)
        print(try await containers?.value.data.count ?? 0)
    #endif
}
