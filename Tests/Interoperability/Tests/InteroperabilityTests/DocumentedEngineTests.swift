import Foundation
import Testing

@Suite("The engine in the documentation", .timeLimit(.minutes(10)))
struct DocumentedEngineTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")

    @Test(
        "The article shows the engine's files as they are",
        arguments: ["AsyncHTTPClientEngine", "TransferError+AsyncHTTPClient"])
    func isTheSame(file: String) throws {
        let code = try String(
            contentsOf: Self.root.appending(
                path: "Tests/Interoperability/Sources/AsyncHTTPClientEngine/\(file).swift"), encoding: .utf8)
        let article = try String(
            contentsOf: Self.root.appending(path: "Sources/PiuPiu/PiuPiu.docc/EnginesOfYourOwn.md"), encoding: .utf8)
        #expect(article.contains("```swift\n\(code)```\n"))
    }
}
