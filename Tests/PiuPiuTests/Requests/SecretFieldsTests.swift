import Foundation
import PiuPiu
import Testing

@Suite("Secrets in multipart forms", .timeLimit(.minutes(10)))
struct SecretFieldsTests {
    private static let type = "multipart/form-data; boundary=\"b b\""

    private func redacted(
        _ body: Data, _ purpose: SecretBody.Purpose = .request, by redaction: HeaderRedaction = .secrets,
        type: String = type
    ) -> Data {
        SecretBody.redacted(body, contentType: type, by: redaction, for: purpose)
    }

    private func part(_ head: String, _ content: String) -> String { "--b b\r\n\(head)\r\n\r\n\(content)\r\n" }

    private static let disposition = "Content-Disposition: form-data; name="

    @Test("Fields with secret names are redacted, other parts by their type, and bytes that are no text stay")
    func fields() {
        let secret = part(Self.disposition + "\"password\"", "<value>")
        let quoted = part("content-type: text/plain\r\ncontent-disposition:form-data;name=API_key", "<value>")
        let plain = part(Self.disposition + "\"a\"", "x=1&password=2")
        let file = part(Self.disposition + "\"token\"; filename=\"a.bin\"", "<value>")
        let form = part(
            Self.disposition + "\"f\"\r\nContent-Type: application/x-www-form-urlencoded", "a=1&pin=<value>")
        let json = part(Self.disposition + "\"j\"\r\nContent-Type: application/json", #"{"pin":"<value>"}"#)
        let empty = part(Self.disposition + "\"pin\"", "")
        let text = secret + quoted + plain + file + form + json + empty + "--b b--\r\n"
        let body = Data(text.replacing("<value>", with: "hunter2").utf8)
        let shown = text.replacing("<value>", with: "<redacted>")
        #expect(String(decoding: redacted(body, .requestText), as: UTF8.self) == shown)
        let sent = shown.replacing("pin=<redacted>", with: "pin=%3Credacted%3E")
        #expect(String(decoding: redacted(body), as: UTF8.self) == sent)
        #expect(redacted(body, by: .none) == body)

        let bytes = Data(part(Self.disposition + "\"image\"", "<value>").utf8)
        let binary = Data((secret + "--b b\r\n\(Self.disposition)image\r\n\r\n").utf8) + [0xFF, 0x0D, 0x0A, 0xFE]
        let whole = Data(String(decoding: binary.dropLast(4), as: UTF8.self).replacing("<value>", with: "s").utf8)
        #expect(
            redacted(whole + binary.suffix(4)) == Data(
                String(decoding: binary.dropLast(4), as: UTF8.self)
                    .replacing("<value>", with: "<redacted>").utf8) + binary.suffix(4))
        #expect(redacted(bytes) == bytes)
    }

    @Test("A form may be cut anywhere")
    func cut() {
        let value = "hunter2"
        let body = Data((part(Self.disposition + "\"password\"", value) + "--b b--\r\n").utf8)
        for count in 0...body.count {
            let shown = redacted(body.prefix(count))
            #expect(shown.range(of: Data(value.prefix(1).utf8)) == nil || count < 60, "\(count)")
            #expect(String(decoding: shown, as: UTF8.self).contains("hunt") == false, "\(count)")
        }
    }

    @Test("Without parts, or without a boundary, a form is a text", arguments: [type, "multipart/form-data"])
    func noParts(type: String) {
        let body = Data("--b b\n{\"token\":\"a\"}\n--b b--".utf8)
        let expected = Data("--b b\n{\"token\":\"<redacted>\"}\n--b b--".utf8)
        #expect(redacted(body, type: type) == expected)
        #expect(redacted(Data(), type: type).isEmpty)
    }

    @Test("A form of the package's own")
    func ownForm() throws {
        var form = MultipartForm()
        form.append(text: "hunter2", forName: "password")
        form.append(text: "shown", forName: "user")
        let shown = redacted(try form.data(), .requestText, type: form.contentType)
        let text = String(decoding: shown, as: UTF8.self)
        #expect(text.contains("<redacted>") && text.contains("shown") && !text.contains("hunter2"))
    }
}
