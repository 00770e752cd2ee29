import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Texts of errors in the app's words", .timeLimit(.oneProcessAtATime))
struct ErrorLocalizationTests {
    /// All texts of an error, one after the other.
    private static func texts(of error: any LocalizableError) -> String {
        [error.localizedDescription, error.failureReason, error.recoverySuggestion].compactMap(\.self)
            .joined(separator: " ")
    }

    /// What is looked up for all errors: the English text by key.
    private func lookUps() throws -> [String: String] {
        let texts = Locked<[String: String]>([:])
        let recording = ErrorLocalization { key, english in
            texts.withLock { $0[key] = english }
            return english
        }
        try ErrorLocalization.$ofTask.withValue(recording) {
            for error in try SampleErrors.all() { _ = Self.texts(of: error) }
        }
        return texts.withLock { $0 }.filter { !$0.key.hasPrefix("StatusCode.") }
    }

    /// The lines `"key" = "text";` of the documentation.
    private func documentedTexts() throws -> [String: String] {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/PiuPiu/PiuPiu.docc/LocalizingErrors.md")
        let lines = try String(contentsOf: article, encoding: .utf8).split(separator: "\n")
        return lines.reduce(into: [:]) { texts, line in
            let parts = line.components(separatedBy: "\" = \"")
            guard parts.count == 2, line.hasPrefix("\""), line.hasSuffix("\";") else { return }
            texts[String(parts[0].dropFirst())] = String(parts[1].dropLast(2))
        }
    }

    @Test("The documentation lists each key with its English text, and no other")
    func documentation() throws {
        let (used, documented) = (try lookUps(), try documentedTexts())
        for (key, text) in used.sorted(by: { $0.key < $1.key }) where documented[key] != text {
            Issue.record("LocalizingErrors.md lacks this line:\n\"\(key)\" = \"\(text)\";")
        }
        for key in documented.keys where used[key] == nil { Issue.record("\(key) is documented, but not used.") }
    }

    @Test("Every error takes all its texts from the app, and puts its values into them")
    func everyError() throws {
        let bracketing = ErrorLocalization { key, english in "⟦\(key)⟧\(english)⟦⟧" }
        for error in try SampleErrors.all() {
            let english = Self.texts(of: error)
            let own = ErrorLocalization.$ofTask.withValue(bracketing) { Self.texts(of: error) }
            #expect(own.contains("⟦\(error.errorKey)") || own.contains("⟦StatusCode."), "\(own)")
            #expect(own.replacing(#/⟦[^⟧]*⟧/#, with: "") == english)
            #expect(!english.contains("{"), "\(english)")
            for secret in ["user", "word", "secret"] where !(error is AllFuturesFailedError) {
                #expect(!english.contains("\(secret)@") && !english.contains("=\(secret)"), "\(english)")
            }
        }
    }

    @Test("Each kind of error has a key of its own, and legacy ones keep theirs")
    func keys() throws {
        let errors = try SampleErrors.all()
        let keys = errors.map(\.errorKey)
        #expect(keys.contains("NoResponse") && keys.contains("MissingServerProvider"))
        #expect(keys.contains("TransferError.timedOut") && keys.contains("FileTransferError.cannotMove"))
        // The statuses share a few; RequestError and InvalidRequestError don't.
        let ofRequests = 2 + 13 + 3 + 4 + 1
        let ofResponses = 4 + 11 + 4 + 3 + 3
        let ofTransfers = TransferError.Kind.allCases.count + 7 + 5 + 9 + 3 + 1 + 2 + 2 + 1
        let ofTestDoubles = 3 + 3 + 4 + 2
        let ofFutures = 6 + 3
        // Credentials, deadlines, event sources, structured fields, pages.
        let ofPolicies = 3 + 5 + 1 + 2 + 1
        let count = ofRequests + ofResponses + ofTransfers + ofTestDoubles + ofFutures + ofPolicies
        #expect(Set(keys).count == count)
    }

    @Test("Values go where the app's text names them, once, and unknown names stay")
    func places() {
        let error = FutureError.abandoned(file: "{line}.swift", line: 7)
        func text(_ own: String) -> String {
            ErrorLocalization.$ofTask.withValue(ErrorLocalization { _, _ in own }) { error.localizedDescription }
        }
        #expect(text("{line} {file} {line}") == "7 {line}.swift 7")
        #expect(text("{lin} {{file}} {line") == "{lin} {{line}.swift} {line")
        #expect(text("}{") == "}{")
        #expect(text("") == "")
        #expect(text("none") == "none")
    }

    @Test("A status has the app's text, for HTTPError too")
    func status() {
        let own = ErrorLocalization { key, english in key == "StatusCode.404" ? "Borte" : english }
        ErrorLocalization.$ofTask.withValue(own) {
            #expect(StatusCode.notFound.localizedDescription == "Borte")
            #expect(HTTPError.clientError(.notFound).localizedDescription == "Borte")
            #expect(StatusCode.gone.localizedDescription != "Borte")
        }
    }

    @Test("A table of a bundle is read, with the English text where it has none")
    func bundle() throws {
        let folder = try TemporaryFolder()
        try Data(#""NoResponse" = "Intet svar.";"#.utf8).write(to: folder.url.appending(path: "PiuPiu.strings"))
        try Data(#""NoResponse" = "Nichts da.";"#.utf8).write(to: folder.url.appending(path: "Fejl.strings"))
        let bundle = try #require(Bundle(path: folder.url.path()))
        ErrorLocalization.$ofTask.withValue(ErrorLocalization(bundle: bundle)) {
            #expect(ResponseError.noResponse.localizedDescription == "Intet svar.")
            #expect(ResponseError.notHTTPResponse.localizedDescription.hasPrefix("The response is not"))
        }
        ErrorLocalization.$ofTask.withValue(ErrorLocalization(bundle: bundle, table: "Fejl")) {
            #expect(ResponseError.noResponse.localizedDescription == "Nichts da.")
        }
    }

    @Test("Without a table of the main bundle the texts are English")
    func fallback() throws {
        for error in try SampleErrors.all() {
            let english = ErrorLocalization.$ofTask.withValue(.english) { Self.texts(of: error) }
            #expect(Self.texts(of: error) == english)
            #expect(ErrorLocalization.$ofTask.withValue(.mainBundle) { Self.texts(of: error) } == english)
        }
    }

    #if os(macOS) || os(Linux)
        /// Reads a text when it is released.
        private final class Reader: Sendable {
            deinit { _ = ResponseError.noResponse.localizedDescription }
        }

        @Test("A localization may be released by the next one", .oneProcessAtATime)
        func replaced() async {
            await #expect(processExitsWith: .success) {
                func installFirst() {
                    let reader = Reader()
                    ErrorLocalization { key, _ in withExtendedLifetime(reader) { "first \(key)" } }.install()
                }
                installFirst()
                ErrorLocalization { key, _ in "second \(key)" }.install()
                #expect(ResponseError.noResponse.localizedDescription == "second NoResponse")
            }
        }

        @Test(
            "A localization is installed for the whole process, and a task's own takes precedence", .oneProcessAtATime)
        func installed() async {
            await #expect(processExitsWith: .success) {
                ErrorLocalization { key, _ in "installed \(key)" }.install()
                #expect(
                    await Task.detached { ResponseError.noResponse.localizedDescription }.value
                        == "installed NoResponse")
                ErrorLocalization.$ofTask.withValue(.english) {
                    #expect(ResponseError.noResponse.localizedDescription.hasPrefix("The server sent"))
                }
            }
        }
    #endif
}
