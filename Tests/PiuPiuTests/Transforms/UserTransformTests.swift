import Foundation
import PiuPiu
import Testing

/// Deprecated names, behind names that aren't deprecated.
private protocol LegacySpellings: Sendable {
    static func oldTransform() throws
    static func oldClass() throws
    static func noMethods() throws
    static func oldCalls() throws
}

@Suite("User-defined transforms", .timeLimit(.minutes(10)))
struct UserTransformTests {
    private static let legacy: any LegacySpellings.Type = LegacyTransforms.self

    @Test("A transform with the methods of PiuPiu 1.4 works in containers, and by either spelling")
    func oldTransform() throws {
        try Self.legacy.oldTransform()
    }

    @Test("A class works, even with the methods of PiuPiu 1.4")
    func oldClass() throws {
        try Self.legacy.oldClass()
        #expect(try CurrentClass().value(CurrentClass().json(7)) == 7)
    }

    @Test("A transform with neither method throws an error with the path and advice, by either spelling")
    func noMethods() throws {
        try Self.legacy.noMethods()
    }

    @Test("The old calls work for the included transforms, and for those with today's methods")
    func oldCalls() throws {
        try Self.legacy.oldCalls()
    }

    fileprivate final class CurrentClass: Transform {
        func from(json: String, codingPath: [any CodingKey]) throws -> Int { Int(json) ?? 0 }
        func toJSON(_ value: Int, codingPath: [any CodingKey]) throws -> String { String(value) }
    }
}

@available(*, deprecated)
private struct OldFlag: Transform {
    func transform(value: Bool) throws -> Int { value ? 1 : 0 }
    func transform(json: Int) throws -> Bool { json != 0 }
}

@available(*, deprecated)
private final class OldFlagClass: EncodingTransform, DecodingTransform {
    typealias ValueDesitination = Bool

    func transform(value: Bool) throws -> Int { value ? 1 : 0 }
    func transform(json: Int) throws -> ValueDesitination { json != 0 }
}

@available(*, deprecated)
private struct NoMethods: Transform {
    typealias ValueSource = Bool
    typealias JSONDestination = Int
    typealias JSONSource = Int
    typealias ValueDestination = Bool
}

private enum LegacyTransforms: LegacySpellings {
    @available(*, deprecated)
    static func oldTransform() throws {
        #expect(try OldFlag().json(true).jsonText == #"{"value":1}"#)
        #expect(try OldFlag().value(#"{"value":0}"#) == false)
        #expect(try OldFlag().transform(value: true) == 1)
        #expect(try OldFlag().toJSON(true, codingPath: []) == 1)
        #expect(try OldFlag().from(json: 1, codingPath: []))
        #expect(try throughProtocol(OldFlag(), true) == 1)
    }

    @available(*, deprecated)
    static func oldClass() throws {
        struct Model: Decodable {
            enum CodingKeys: CodingKey {
                case flag
            }
            var flag: OldFlagClass.ValueDesitination

            init(from decoder: any Decoder) throws {
                flag = try decoder.container(keyedBy: CodingKeys.self).decode(using: OldFlagClass(), forKey: .flag)
            }
        }
        #expect(try JSONDecoder().decode(Model.self, from: Data(#"{"flag":1}"#.utf8)).flag)
        let type: URLTransform.ValueDesitination.Type = URL.self
        #expect(type == URL.self)
    }

    @available(*, deprecated)
    static func noMethods() throws {
        let encodingError = try #require(throws: EncodingError.self) { try NoMethods().json(true) }
        #expect(codingPathText(of: encodingError) == "value")
        #expect("\(encodingError)".contains("NoMethods has no method to encode with"))
        let decodingError = try #require(throws: DecodingError.self) { try NoMethods().value(#"{"value":1}"#) }
        #expect(codingPathText(of: decodingError) == "value")
        #expect("\(decodingError)".contains("NoMethods has no method to decode with"))
        #expect(throws: EncodingError.self) { try NoMethods().transform(value: true) }
        #expect(throws: DecodingError.self) { try NoMethods().transform(json: 1) }
        #expect(throws: EncodingError.self) { try throughProtocol(NoMethods(), true) }
    }

    @available(*, deprecated)
    static func oldCalls() throws {
        #expect(try StringFromIntTransform().transform(value: 7) == "7")
        #expect(try StringFromIntTransform().transform(json: 7) == "7")
        #expect(try UserTransformTests.CurrentClass().transform(json: "7") == 7)
        #expect(try throughProtocol(UserTransformTests.CurrentClass(), 7) == "7")
        let formatter = DateFormatter.rfc3339
        let dates = DateTransform(formatter: formatter, codingPath: [])
        #expect(try dates.transform(json: "1970-01-01T00:00:00Z") == Date(timeIntervalSince1970: 0))
        #expect(try dates.transform(value: Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
    }

    @available(*, deprecated)
    private static func throughProtocol<T: EncodingTransform>(_ transform: T, _ value: T.ValueSource) throws
        -> T.JSONDestination
    {
        try transform.transform(value: value)
    }
}
