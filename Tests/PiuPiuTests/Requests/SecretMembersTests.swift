import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Secrets in JSON", .timeLimit(.minutes(10)))
struct SecretMembersTests {
    private func redacted(_ text: String, keepsTypes: Bool = true) -> String {
        let bytes = SecretMembers.redacted(Array(text.utf8), keepsTypes: keepsTypes, where: SecretName.isSecret)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "Texts become <redacted>, numbers 0, and all else stays as it was, white space too",
        arguments: [
            (#"{"token":"a","b":"token"}"#, #"{"token":"<redacted>","b":"token"}"#),
            ("{ \"token\" :\n\t\"a\" , \"b\": 1.50 }", "{ \"token\" :\n\t\"<redacted>\" , \"b\": 1.50 }"),
            (
                #"{"sessionId":"8f14e45f-CEEA-467f-A8B2-6d3f9c1b0e5a","key":"8f14e45f-ceea"}"#,
                #"{"sessionId":"00000000-0000-0000-0000-000000000000","key":"<redacted>"}"#
            ),
            (#"{"otp":123456,"pin":-1.5e3}"#, #"{"otp":0,"pin":0}"#),
            (#"{"token":null,"password":true,"key":false}"#, #"{"token":null,"password":true,"key":false}"#),
            (#"{"token":"a\"b\\","b":"c"}"#, #"{"token":"<redacted>","b":"c"}"#),
            (#"{"tok\u0065n":"a","b\"":"c"}"#, #"{"tok\u0065n":"<redacted>","b\"":"c"}"#),
            (
                #"{"tokens":["a",["b",1],{"c":"d"}],"e":"f"}"#,
                #"{"tokens":["<redacted>",["<redacted>",0],{"c":"<redacted>"}],"e":"f"}"#
            ),
            (
                #"{"session":{"id":"a","user":{"name":"b"}},"e":"f"}"#,
                #"{"session":{"id":"<redacted>","user":{"name":"<redacted>"}},"e":"f"}"#
            ),
            (#"{"token":{},"key":[]}"#, #"{"token":{},"key":[]}"#),
            (#"[{"a":[{"token":"b"}]}]"#, #"[{"a":[{"token":"<redacted>"}]}]"#),
            (#"{"token":"a"#, #"{"token":"<redacted>""#), (#"{"token":"#, #"{"token":"#), (#"{"token""#, #"{"token""#),
            (#"{"token":[1,"a"#, #"{"token":[0,"<redacted>""#), (#"{"token": tru"#, #"{"token": "<redacted>""#),
            (#"data: {"token":"a"}"#, #"data: {"token":"<redacted>"}"#),
            (#"It is 5" wide: {"token":"a"}"#, #"It is 5" wide: {"token":"<redacted>"}"#), ("", ""), ("\"", "\""),
            (#"{"token":"{"token":"a"}"}"#, #"{"token":"<redacted>"token":"<redacted>"}"}"#),
            ("\"\\", "\"\\"), ("Grüße \"token\": \"ä\" ö", "Grüße \"token\": \"<redacted>\" ö"),
        ])
    func members(text: String, expected: String) {
        #expect(redacted(text) == expected)
    }

    @Test(
        "JSON in a string of JSON is redacted, too, however deep, and still decodes",
        arguments: [
            (#"{"log":"{\"token\":\"a\",\"b\":\"c\"}"}"#, #"{"log":"{\"token\":\"<redacted>\",\"b\":\"c\"}"}"#),
            (#"{"log":"{\n \"token\" :\n \"a\"\n}"}"#, #"{"log":"{\n \"token\" :\n \"<redacted>\"\n}"}"#),
            (#"{"log":"{\"otp\":12,\"pin\": 3\n}"}"#, #"{"log":"{\"otp\":0,\"pin\": 0\n}"}"#),
            (#"{"log":"{\"token\":\"a\\\"b\\\\\",\"c\":1}"}"#, #"{"log":"{\"token\":\"<redacted>\",\"c\":1}"}"#),
            (#"{"log":"{\"keys\":[\"a\",{\"b\":\"c\"}]}"}"#, #"{"log":"{\"keys\":[\"a\",{\"b\":\"c\"}]}"}"#),
            (
                #"{"log":"{\"tokens\":[\"a\",\n{\"b\":\"c\"},1],\"d\":\"e\"}"}"#,
                #"{"log":"{\"tokens\":[\"<redacted>\",\n{\"b\":\"<redacted>\"},0],\"d\":\"e\"}"}"#
            ),
            (
                #"{"a":"{\"b\":\"{\\\"token\\\":\\\"c\\\"}\"}"}"#,
                #"{"a":"{\"b\":\"{\\\"token\\\":\\\"<redacted>\\\"}\"}"}"#
            ),
            (#"{"log":"{\"tok\\u0065n\":\"a\"}"}"#, #"{"log":"{\"tok\\u0065n\":\"<redacted>\"}"}"#),
            (#"{"token":"{\"a\":\"b\"}","c":"d"}"#, #"{"token":"<redacted>","c":"d"}"#),
            // Some encoders write a code for each quotation mark in a text.
            (
                #"{"log":"{\u0022token\u0022:\u0022a\u0022,\u0022b\u0022:\u0022c\u0022}"}"#,
                #"{"log":"{\u0022token\u0022:\u0022<redacted>\u0022,\u0022b\u0022:\u0022c\u0022}"}"#
            ),
            (
                #"{"a":"{\"b\":\"{\\u0022token\\u0022:\\\u0022c\\\u0022}\"}"}"#,
                #"{"a":"{\"b\":\"{\\u0022token\\u0022:\\\u0022<redacted>\\\u0022}\"}"}"#
            ),
            (
                #"{"log":"{\u0022otp\u0022:12,\u0022tokens\u0022:[1,\u0022a"#,
                #"{"log":"{\u0022otp\u0022:0,\u0022tokens\u0022:[0,\u0022<redacted>\u0022"#
            ),
            // Cut, or no JSON around it.
            (#"{"log":"{\"token\":\"a"#, #"{"log":"{\"token\":\"<redacted>\""#),
            (#"{"log":"{\"token\":\"a","b":"c"}"#, #"{"log":"{\"token\":\"<redacted>\"","b":"c"}"#),
            (#"{"log":"{\"token\":","b":"c"}"#, #"{"log":"{\"token\":","b":"c"}"#),
            (#"{"log":"{\"tokens\":[1,","b":"c"}"#, #"{"log":"{\"tokens\":[0,","b":"c"}"#),
            (#"{\"token\": \"a\"}"#, #"{\"token\": \"<redacted>\"}"#),
        ])
    func nested(text: String, expected: String) {
        #expect(redacted(text) == expected)
        #expect(redacted(expected) == expected)
    }

    @Test("Many backslashes and quotation marks take linear time")
    func manyMarks() {
        for piece in ["\\", "\"", "\\\"", "\"token\":[\\", "\\\"token\\\":{\\", "\"a\":\\\\", "\\u0022", "\\\\u0022"] {
            let text = String(repeating: piece, count: 20_000)
            #expect(redacted(text).utf8.count >= text.utf8.count)
        }
    }

    @Test("In text for people a number and a UUID are <redacted> too")
    func eye() {
        #expect(redacted(#"{"key":"\#(UUID())"}"#, keepsTypes: false) == #"{"key":"<redacted>"}"#)
        #expect(redacted(#"{"otp":1,"a":2}"#, keepsTypes: false) == #"{"otp":"<redacted>","a":2}"#)
    }

    @Test("Without a Content-Type a form is recognised by its syntax")
    func forms() {
        func redacted(_ text: String) -> String {
            SecretBody.redacted(text, contentType: nil, by: .secrets, for: .requestText)
        }
        #expect(redacted("a=1&token=secret") == "a=1&token=<redacted>")
        #expect(redacted("a = 1&token=secret") == "a = 1&token=secret")
        // The type decides where there is one.
        for (type, isForm) in [("application/x-www-form-urlencoded", true), ("text/plain", false)] {
            for text in ["a=b c&token=secret", "a=1&token=secret"] {
                let shown = SecretBody.redacted(text, contentType: type, by: .secrets, for: .requestText)
                #expect(shown.contains("secret") != isForm, "\(type): \(text)")
            }
        }
    }

    @Test("A body that is no text stays byte for byte, unless it is for people")
    func binary() {
        let body = Data(#"{"token":"a"}"#.utf8) + [0xFF]
        for purpose in [SecretBody.Purpose.request, .response] {
            #expect(SecretBody.redacted(body, contentType: nil, by: .secrets, for: purpose) == body)
        }
        for purpose in [SecretBody.Purpose.requestText, .responseText] {
            let shown = SecretBody.redacted(body, contentType: nil, by: .secrets, for: purpose)
            #expect(shown == Data(#"{"token":"<redacted>"}"#.utf8) + [0xFF])
        }
    }

    // MARK: Codes

    private static let shownCodes = [
        "404", "-32601", "\"not_found\"", "\"ValidationError\"", "\"rate-limit.exceeded\"", "\"try again\"", "null",
    ]
    private static let hiddenCodes = [
        "\"123456\"", "\"SplxlOBeZQQYbYS6WxSbIA\"", "\"A1-B2\"", "\"schlüssel\"", "\"a\\n\"", "\"cut off", "1.5", "12a",
        "{\"code\":\"word\"}", "[\"word\"]",
    ]

    @Test(
        "In the JSON of a response a code that is a number or words is that of an error, and stays",
        arguments: shownCodes.map { ($0, true) } + hiddenCodes.map { ($0, false) })
    func codes(value: String, isShown: Bool) {
        func redacted(_ body: String, _ purpose: SecretBody.Purpose, by redaction: HeaderRedaction = .secrets) -> String
        {
            SecretBody.redacted(body, contentType: "application/json", by: redaction, for: purpose)
        }
        let body = "{\"error\":{\"Code\":\(value),\"code\" : \(value)"
        for purpose in [SecretBody.Purpose.response, .responseText] {
            #expect((redacted(body, purpose) == body) == isShown)
            #expect(redacted(body, purpose, by: HeaderRedaction(["Authorization", "code"])) != body || value == "null")
        }
        #expect((SecretText.redacted(body) == body) == isShown)
        for purpose in [SecretBody.Purpose.request, .requestText] {
            #expect(redacted(body, purpose) != body || value == "null")
        }
        // What another name makes a secret stays one.
        #expect(!redacted("{\"token\":{\"code\":\"word\"}}", .responseText).contains("word"))
        #expect(SecretText.redacted("code=word&a=b") == "code=<redacted>&a=b")
    }

    @Test("A code that is the last name of a member is that of an error, too, unless the whole name is a secret's")
    func codesInNames() {
        func redacted(_ body: String, by redaction: HeaderRedaction = .secrets) -> String {
            SecretBody.redacted(body, contentType: "application/json", by: redaction, for: .responseText)
        }
        let body = #"{"error.code":404,"error[code]":"not_found"}"#
        #expect(redacted(body) == body && SecretText.redacted(body) == body)
        #expect(redacted(#"{"error.code":"123456"}"#) == #"{"error.code":"<redacted>"}"#)
        #expect(redacted(#"{"access.code":"word"}"#) == #"{"access.code":"<redacted>"}"#)
        let own = redacted(body, by: .secrets.adding(["errorCode"]))
        #expect(own == #"{"error.code":"<redacted>","error[code]":"<redacted>"}"#)
    }

    @Test(
        "The quotation mark after a secret stays as it is escaped",
        arguments: [
            (#"{"a":"password=abc\"b"}"#, #"{"a":"password=<redacted>\"b"}"#),
            (#"{é{tokenpassword=é\":token{abc""#, #"{é{tokenpassword=<redacted>\":token{abc""#),
            (#"password=a\b\\'c"#, #"password=<redacted>\\'c"#), (#"password=\"abc"#, #"password=\"<redacted>"#),
            (#"password=a\"#, "password=<redacted>"),
        ])
    func escapedQuotationMarks(text: String, expected: String) {
        #expect(SecretText.redacted(text) == expected)
        #expect(SecretText.redacted(expected) == expected)
    }

    @Test(
        "In a text, too, the last name in brackets or after a dot makes an item a secret",
        arguments: [
            ("Input.Pin=1234 is invalid", "Input.Pin=<redacted> is invalid"),
            ("bad card[cvc]=123&a=b", "bad card[cvc]=<redacted>&a=b"), ("card.cvc: 123", "card.cvc: <redacted>"),
            ("bad items[0].code: a1b2", "bad items[0].code: <redacted>"), ("(error.code: 404)", "(error.code: 404)"),
            ("error[code]: not_found", "error[code]: not_found"), ("access.code: 404", "access.code: <redacted>"),
            ("pin.size: 4, card[pin][size]=4", "pin.size: 4, card[pin][size]=4"),
            ("bad error.code=404, errors[0].code=not_found", "bad error.code=404, errors[0].code=not_found"),
            ("bad items[0].code=a1b2", "bad items[0].code=<redacted>"), ("access.code=404", "access.code=<redacted>"),
        ])
    func namesInTexts(text: String, expected: String) {
        #expect(SecretText.redacted(text) == expected)
    }

    // MARK: Random JSON

    /// What is to become of a value, by its structure, with quotation marks in JSON in a string after a backslash.
    private static func expected(
        _ json: Any, isSecret: Bool = false, where isSecretName: (String) -> Bool = { SecretName.isSecret($0) }
    ) -> Any {
        switch json {
        case let object as [String: Any]:
            Dictionary(
                uniqueKeysWithValues: object.map { name, value in
                    (name, expected(value, isSecret: isSecret || isSecretName(name), where: isSecretName))
                })
        case let array as [Any]: array.map { expected($0, isSecret: isSecret, where: isSecretName) }
        case is String where isSecret: "<redacted>"
        case let text as String where text.hasPrefix("[") || text.hasPrefix("{\""):
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))).map {
                Self.text(expected($0, where: isSecretName))
            } ?? text
        case is Int where isSecret: 0
        default: json
        }
    }

    /// JSON as a string, to be put into other JSON.
    private static func text(_ json: Any, hasCodes: Bool = false) -> String {
        let data = try? JSONSerialization.data(withJSONObject: json, options: [.fragmentsAllowed, .sortedKeys])
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        return hasCodes ? Self.withCodes(text) : text
    }

    /// The same JSON with the code of each quotation mark in its texts.
    private static func withCodes(_ json: String) -> String {
        json.replacing(/\\(.)/) { $0.1 == "\"" ? "\\u0022" : String($0.0) }
    }

    private static func random(_ random: inout SeededGenerator, depth: Int = 0, strings: Int = 0) -> Any {
        let texts = ["token", "", "\"", "\\", "a\"b", "ü😀\u{2028}", ": \"token\": ", "{", "}", ",", "\n", "code"]
        switch Int.random(in: 0..<(depth > 4 ? 3 : 7), using: &random) {
        case 0: return texts.randomElement(using: &random) ?? ""
        case 1: return Int.random(in: 2...99, using: &random)
        case 2: return NSNull()
        case 3:
            return (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Self.random(&random, depth: depth + 1, strings: strings)
            }
        case 4 where strings < 3:
            let inner = [Self.random(&random, depth: depth + 1, strings: strings + 1)]
            return text(inner, hasCodes: Bool.random(using: &random))
        default:
            let names = ["token", "a", "user_Password", "b\"", "x\\", "", "otp", "tö", "code:"]
            return (0..<Int.random(in: 0...4, using: &random)).reduce(into: [String: Any]()) { object, _ in
                object[names.randomElement(using: &random) ?? ""] = Self.random(
                    &random, depth: depth + 1, strings: strings)
            }
        }
    }

    @Test("Random JSON is redacted as by its structure", arguments: 0..<20 as Range<UInt64>)
    func structure(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let json = Self.random(&random)
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
            let style = Bool.random(using: &random) ? options.union(.prettyPrinted) : options
            let plain = String(
                decoding: try JSONSerialization.data(withJSONObject: json, options: style), as: UTF8.self)
            let text = Bool.random(using: &random) ? Self.withCodes(plain) : plain
            let read = try JSONSerialization.jsonObject(with: Data(redacted(text).utf8), options: .fragmentsAllowed)
            let written = try JSONSerialization.data(
                withJSONObject: Self.expected(read, where: { _ in false }), options: options)
            let expected = try JSONSerialization.data(withJSONObject: Self.expected(json), options: options)
            #expect(written == expected, "seed \(seed): \(text)")
        }
    }
}
