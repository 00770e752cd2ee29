#if os(Linux) || os(macOS)
    import Foundation
    import PiuPiu
    import TestSupport
    import Testing

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// What is encoded here decodes to the same with Python's standard library.
    @Suite("Random requests, decoded by others", .enabled(if: PythonDecoder.isPresent), .timeLimit(.minutes(10)))
    struct RequestPropertyTests {
        private static let rounds = 400

        private struct Address: Codable, Equatable {
            var path: String
            var items: [[String]]
        }

        @Test("Any path and query items arrive as they were given")
        func urls() async throws {
            let seed = StreamBytes.seed(for: "Random URLs")
            var random = RandomText(generator: SeededGenerator(seed: seed))
            var expected: [Address] = [], urls: [String] = []
            let base = try URL(fixture: "https://u:p@example.com:8080/base?x=1")
            for _ in 0..<Self.rounds {
                // A path with a literal "%41" would be taken for an encoded one.
                let path = "/" + random.text(excluding: ["%"])
                let items = random.texts().map { ($0, random.text()) }
                let request = BasicRequest(
                    method: .get, path: path, queryItems: items.map { URLQueryItem(name: $0.0, value: $0.1) })
                urls.append(try request.url(withBaseURL: base).absoluteString)
                expected.append(Address(path: path, items: items.map { [$0.0, $0.1] }))
            }
            let script = """
                from urllib.parse import urlsplit, unquote, parse_qsl
                result = []
                for url in values:
                    parts = urlsplit(url)
                    items = [list(i) for i in parse_qsl(parts.query, keep_blank_values=True)]
                    assert parts.netloc == "u:p@example.com:8080" and url.isascii() and ("?" in url) == bool(items)
                    result.append({"path": unquote(parts.path), "items": items})
                """
            let decoded = try await PythonDecoder.run(script, with: urls, as: [Address].self)
            for (round, (decoded, expected)) in zip(decoded, expected).enumerated() {
                #expect(decoded == expected, "seed \(seed), round \(round)")
            }
            #expect(decoded.count == Self.rounds)
        }

        @Test("Any bytes as path, once encoded, stay as they are")
        func encodedPaths() throws {
            let seed = StreamBytes.seed(for: "Random paths")
            var random = RandomText(generator: SeededGenerator(seed: seed))
            let base = try URL(fixture: "https://example.com/base")
            for round in 0..<Self.rounds {
                for basePath in BasicRequest.BasePath.allCases {
                    var request = BasicRequest(method: .get, path: random.text(), basePath: basePath)
                    // One that leads out of a base that is kept is refused: see BasicRequestTests.
                    guard let first = try? request.url(withBaseURL: base) else {
                        #expect(basePath == .kept && request.path.contains(".."), "seed \(seed), round \(round)")
                        continue
                    }
                    guard basePath == .replaced else { continue }
                    request.path = first.path(percentEncoded: true)
                    #expect(try request.url(withBaseURL: base) == first, "seed \(seed), round \(round)")
                }
            }
        }

        @Test("Any URL-encoded form decodes to the same, here and there")
        func forms() async throws {
            let seed = StreamBytes.seed(for: "Random forms")
            var random = RandomText(generator: SeededGenerator(seed: seed))
            let forms = (0..<Self.rounds).map { _ in
                URLEncodedForm(random.texts().map { .init(name: $0, value: random.text()) })
            }
            let script = """
                from urllib.parse import parse_qsl
                result = [[list(i) for i in parse_qsl(text, keep_blank_values=True)] for text in values]
                """
            let decoded = try await PythonDecoder.run(script, with: forms.map(\.text), as: [[[String]]].self)
            for (round, (decoded, form)) in zip(decoded, forms).enumerated() {
                #expect(decoded == form.fields.map { [$0.name, $0.value] }, "seed \(seed), round \(round)")
                #expect(URLEncodedForm(parsing: form.text) == form, "seed \(seed), round \(round)")
            }
            #expect(decoded.count == Self.rounds)
            for round in 0..<Self.rounds {
                let once = URLEncodedForm(parsing: random.text() + "&" + random.text())
                #expect(URLEncodedForm(parsing: once.text) == once, "seed \(seed), round \(round)")
            }
        }

        private struct Part: Codable, Equatable {
            var name: String
            var fileName: String?
            var content: Data
        }

        private struct Message: Codable {
            var contentType: String
            var body: Data
        }

        @Test("Any multipart form decodes to the same, and is as long as it says")
        func multipart() async throws {
            let seed = StreamBytes.seed(for: "Random multipart forms")
            var random = RandomText(generator: SeededGenerator(seed: seed))
            let folder = try TemporaryFolder()
            var messages: [Message] = [], expected: [[Part]] = []
            for round in 0..<100 {
                var form = MultipartForm()
                var parts: [Part] = []
                for index in 0..<Int.random(in: 1...4, using: &random.generator) {
                    // An escaped name with a "%22" in it can't be told from one with a quotation mark.
                    var part = Part(name: random.text(excluding: ["%"]), fileName: nil, content: random.data())
                    switch Int.random(in: 0..<3, using: &random.generator) {
                    case 0:
                        let text = random.text()
                        part.content = Data(text.utf8)
                        form.append(text: text, forName: part.name)
                    case 1:
                        part.fileName = random.text(excluding: ["%"])
                        form.append(data: part.content, forName: part.name, fileName: part.fileName)
                    default:
                        let file = folder.file("\(round)-\(index)")
                        try part.content.write(to: file)
                        part.fileName = file.lastPathComponent
                        form.append(file: file, forName: part.name)
                    }
                    parts.append(part)
                }
                let body = try await form.body().collected()
                #expect(try form.contentLength() == Int64(body.count), "seed \(seed), round \(round)")
                #expect(try form.data() == body, "seed \(seed), round \(round)")
                messages.append(Message(contentType: form.contentType, body: body))
                expected.append(parts)
            }
            let decoded = try await PythonDecoder.run(Self.multipartScript, with: messages, as: [[Part]].self)
            for (round, (decoded, expected)) in zip(decoded, expected).enumerated() {
                #expect(decoded == expected, "seed \(seed), round \(round)")
            }
            #expect(decoded.count == 100)
        }

        private static let multipartScript = """
            import base64, email, re
            def text(value):
                value = value.encode("ascii", "surrogateescape").decode("utf-8")
                return value.replace("%22", '"').replace("%0D", "\\r").replace("%0A", "\\n")
            result = []
            for message in values:
                head = "Content-Type: " + message["contentType"] + "\\r\\n\\r\\n"
                whole = email.message_from_bytes(head.encode("ascii") + base64.b64decode(message["body"]))
                assert whole.is_multipart() and not whole.defects and not whole.epilogue and not whole.preamble
                parts = []
                for part in whole.get_payload():
                    assert not part.defects
                    disposition = dict(part._headers)["Content-Disposition"]
                    match = re.fullmatch('form-data; name="([^"]*)"(?:; filename="([^"]*)")?', disposition, re.DOTALL)
                    content = part.get_payload(decode=True)
                    parts.append({"name": text(match[1]), "content": base64.b64encode(content).decode("ascii"),
                                  **({} if match[2] is None else {"fileName": text(match[2])})})
                result.append(parts)
            """

        @Test("For a POSIX shell, the curl command of any request has the expected arguments")
        func curl() async throws {
            let seed = StreamBytes.seed(for: "Random curl commands")
            var random = RandomText(generator: SeededGenerator(seed: seed))
            var commands: [String] = [], expected: [[String]] = []
            for _ in 0..<Self.rounds {
                var request = URLRequest(url: try URL(fixture: "https://example.com/"), method: .post)
                // Control characters are escaped.
                let value = "v" + random.text(excluding: ["\r", "\n", "\u{85}", "\u{2028}"])
                // What looks like a user in a URL is left out.
                let body = "b" + random.text(excluding: ["\u{85}", "@"])
                request.allHTTPHeaderFields = ["X-A": value]
                request.setHTTPBody(string: body)
                commands.append(request.curl())
                expected.append([
                    "curl", "--request", "POST", "--url", "https://example.com/", "--header", "X-A: \(value)",
                    "--header", "Content-Type:", "--data-raw", body,
                ])
            }
            let script = """
                import subprocess
                result = []
                for command in values:
                    whole = 'curl() { printf "%s\\\\0" curl "$@"; }\\n' + command
                    shown = subprocess.run(["/bin/sh", "-c", whole], capture_output=True, check=True).stdout
                    result.append(shown.decode("utf-8").split("\\0")[:-1])
                """
            let decoded = try await PythonDecoder.run(script, with: commands, as: [[String]].self)
            for (round, (decoded, expected)) in zip(decoded, expected).enumerated() {
                // As bytes, since strings that look the same are equal.
                #expect(
                    decoded.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "seed \(seed), round \(round)")
            }
            #expect(decoded.count == Self.rounds)
        }
    }
#endif
