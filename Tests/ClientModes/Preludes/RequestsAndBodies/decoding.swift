import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated struct Post: Codable, Sendable {
    let title: String
}

func load(_ dispatcher: any DataDispatcher, _ request: URLRequest, _ removal: URLRequest) async throws {
    // snippet
    print(try await posts.value.data.map(\.title), try await removed.value.data?.title ?? "")
    print(try await settings.value.data.title, try await page.value.data)
}
