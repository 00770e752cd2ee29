import Foundation
import Testing

@Suite(
    "From the names of PiuPiu 1.4 to those of today", .enabled(if: SwiftCompiler.shared != nil),
    .timeLimit(.minutes(10))
)
struct ModernisingTests {
    /// Code of 1.4, all of whose names have successors today.
    private static let client = """
        import Foundation
        import PiuPiu
        #if canImport(FoundationNetworking)
            import FoundationNetworking
        #endif

        struct Post: Codable { let id: Int, userId: Int }

        extension ResponseInterface where T == Data? {
            func post() throws -> Post {
                try decode(Post.self)
            }
        }

        extension ResponseFuture where T == Response<Data?> {
            func post() -> ResponseFuture<Post> {
                then({ response -> Post in try response.post() })
            }
        }

        class Client {
            let dispatcher = URLRequestDispatcher()
            let request = URLRequest(url: URL(fileURLWithPath: "/"), method: .get)
            var count = 0

            func name(of post: Post) -> ResponseFuture<String>? { ResponseFuture(result: "") }

            func load(_ done: @escaping () -> Void) {
                dispatcher.dataFuture(from: request).post()
                    .replace({ [weak self] post -> ResponseFuture<String>? in return self?.name(of: post) })
                    .join({ [weak self] (name: String) -> ResponseFuture<Post>? in
                        guard let self = self else { return nil }
                        return self.dispatcher.dataFuture(from: self.request).post()
                            .join({ () -> ResponseFuture<Int> in return ResponseFuture(result: 1) })
                            .then({ $0.0 })
                    })
                    .response({ name, post in self.count = name.count })
                    .completion({ done() })
                    .send()
                dispatcher.dataFuture(from: request).response { print($0.status as Any) }.send()
                dispatcher.uploadFuture(from: request, data: Data([1, 2])).send()
            }

            func serializer(_ provider: ServerProvider) -> NetworkSerializer {
                NetworkSerializer(dispatcher: dispatcher, serverProvider: provider)
            }

            func head(of response: Response<Data?>) throws -> SuccessResponse<Data?> {
                try SuccessResponse<Data?>(response: response, data: response.data)
            }
        }
        """

    @Test("The compiler's advice on old names is enough to modernise the code")
    func renaming() async throws {
        let compiler = try #require(SwiftCompiler.shared)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("Client-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.client.write(to: file, atomically: true, encoding: .utf8)
        let advice = try await compiler.diagnostics(of: file, languageMode: 5)
        let renamings = advice.compactMap(Renaming.init)
        #expect(renamings.count == advice.count, "\(advice)")
        #expect(renamings.count >= 12)
        let modern = Renaming.apply(renamings, to: Self.client)
        try modern.write(to: file, atomically: true, encoding: .utf8)
        #expect(try await compiler.diagnostics(of: file, languageMode: 5) == [])
        #expect(modern.contains(".seriesJoin(callback: {") && modern.contains("with: Data([1, 2])"))
    }

    @Test("No fix-it changes what is thrown", arguments: ["response.error", "StatusCode.notFound.error"])
    func otherErrors(error: String) async throws {
        let compiler = try #require(SwiftCompiler.shared)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("Client-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        let client = """
            import Foundation
            import PiuPiu

            func check(_ response: Response<Data?>) throws {
                if let error = \(error) { throw error }
            }
            """
        try client.write(to: file, atomically: true, encoding: .utf8)
        let advice = try await compiler.diagnostics(of: file, languageMode: 5)
        #expect(advice.count == 1 && advice.compactMap(Renaming.init).isEmpty, "\(advice)")
    }

    @Test("The examples of the README of 1.11 compile in Swift 6 mode too")
    func swift6() async throws {
        let compiler = try #require(SwiftCompiler.shared)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let examples = folder.appendingPathComponent("Client/ExamplesOf111.swift")
        let diagnostics = try await compiler.diagnostics(of: examples, languageMode: 6)
        #expect(diagnostics.filter { !$0.contains("is deprecated") } == [])
    }
}
