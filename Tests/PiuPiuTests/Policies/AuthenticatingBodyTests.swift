import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Bodies that are sent again with a new credential", .timeLimit(.minutes(10)))
struct AuthenticatingBodyTests {
    private let refresh = GatedRefresh()
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func session() throws -> Authenticator<Int> {
        try keys(1) { try await refresh($0) }
    }

    @Test("R8 BODY: data is sent again, and so are chunks that can be made again")
    func repeatable() async throws {
        refresh.gate.open()
        let server = scripted(.number(401), .number(200)), put = try request("PUT")
        let dispatcher = server.authenticated(by: try session())
        #expect(await dispatcher.uploadFuture(from: put, with: Data("data".utf8)).statusOrName == "200")
        #expect(server.exchanges.map(\.body.data.text) == ["data", "data"])
        let made = Counter()
        let chunks = TransferChunks(length: 3) { [made] in
            made.increment()
            return AsyncStream { continuation in
                continuation.yield(Data("abc".utf8))
                continuation.finish()
            }
        }
        let other = KeyServer(accepting: 2).authenticated(by: try session())
        #expect(await other.uploadFuture(from: put, with: .chunks(chunks)).statusOrName == "200")
        #expect(made.value == 2)
    }

    @Test("R8 BODY: chunks that were read get the 401, and the refresh serves the next request")
    func chunks() async throws {
        let server = KeyServer(accepting: 2), session = try session()
        let dispatcher = server.authenticated(by: session), put = try request("PUT")
        func stream() -> TransferBody {
            .chunks(
                TransferChunks(
                    AsyncStream { continuation in
                        continuation.yield(Data("abc".utf8))
                        continuation.finish()
                    }))
        }
        #expect(await dispatcher.uploadFuture(from: put, with: stream()).statusOrName == "401")
        #expect(await dispatcher.streamFuture(from: put).untilRefreshed(refresh) == "200")
        #expect(await dispatcher.uploadFuture(from: put, with: stream()).statusOrName == "200")
        #expect(server.sent == ["1", "2", "2"] && refresh.count.value == 1)
    }

    @Test(
        "R8 BODY: a file that changes during the refresh gets the 401", arguments: [true, false])
    func files(changes: Bool) async throws {
        let file = try folder.file("file", containing: "text"), put = try request("PUT")
        let server = KeyServer(accepting: 2), session = try session()
        let future = server.authenticated(by: session).uploadFuture(from: put, withFile: file)
        let answer = Task { await future.statusOrName }
        await refresh.gate.reached()
        if changes { try Data("longer text".utf8).write(to: file) }
        refresh.gate.open()
        #expect(await answer.value == (changes ? "401" : "200"))
        #expect(server.sent == (changes ? ["1"] : ["1", "2"]))
    }
}

extension ResponseFuture where Success: ResponseInterface {
    /// The status of a future that starts during a refresh and waits for it.
    fileprivate func untilRefreshed(_ refresh: GatedRefresh) async -> String {
        async let status = statusOrName
        await refresh.gate.reached()
        refresh.gate.open()
        return await status
    }
}
