import Foundation
import LoopbackServer
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Swift 5: an upload with progress", .timeLimit(.minutes(10)))
struct PhotoUploadTests {
    private static let photo = Data(repeating: 7, count: 1_000_000)

    @MainActor
    @Test("UPDATES: the shares rise to 1, for a caller on the main actor")
    func onMain() async throws {
        let server = try LoopbackServer.start(), row = PhotoUpload()
        await row.upload(Self.photo, to: post(server), with: URLRequestDispatcher())
        #expect(row.receivedCount == 1_000_000 && row.message == nil)
        #expect(row.shares.last == 1 && row.shares == row.shares.sorted())
    }

    @Test("UPDATES: the same for a caller in the background")
    func inBackground() async throws {
        let server = try LoopbackServer.start(), row = await PhotoUpload()
        await row.upload(Self.photo, to: post(server), with: URLRequestDispatcher())
        #expect(await row.receivedCount == 1_000_000)
        #expect(await row.shares.last == 1)
    }

    private func post(_ server: LoopbackServer) -> URLRequest {
        URLRequest(url: server.url("/sink"), method: .post)
    }
}
