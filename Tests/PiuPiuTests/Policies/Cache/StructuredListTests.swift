import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("Lists and dictionaries of structured fields (RFC 9651)", .timeLimit(.minutes(10)))
struct StructuredListTests {
    private func token(_ text: String, _ parameters: StructuredParameters = [:]) -> StructuredItem {
        StructuredItem(.token(text), parameters: parameters)
    }

    @Test("RFC 9651, 3.1: all lines are one list, of items and inner lists")
    func lists() throws {
        let members: [StructuredMember] = [.item(token("sugar")), .item(token("tea")), .item(token("rum"))]
        for lines in [["sugar, tea, rum"], ["sugar,tea", "rum"], [" sugar\t, \ttea ,rum  "], ["sugar", "tea", "rum"]] {
            #expect(try StructuredList(parsing: lines).members == members)
        }
        #expect(try StructuredList(members).serialized() == "sugar, tea, rum")
        for lines in [[], [""], ["  "]] { #expect(try StructuredList(parsing: lines).members.isEmpty) }
        #expect(try StructuredList().serialized() == "")
    }

    @Test("RFC 9651, 3.1.1: inner lists, and their parameters")
    func innerLists() throws {
        let field = #"("foo";a=1;b=2);lvl=5, ("bar" "baz");lvl=1, ()"#
        let list = try StructuredList(parsing: [field])
        let foo = StructuredItem(.string("foo"), parameters: ["a": .integer(1), "b": .integer(2)])
        #expect(list.members.first == .innerList([foo], parameters: ["lvl": .integer(5)]))
        #expect(
            list.members.last == .innerList([], parameters: [:]) && list.members[1].parameters["lvl"] == .integer(1))
        #expect(try list.serialized() == field)
        #expect(try StructuredList(parsing: ["(  a   b )"]).serialized() == "(a b)")
    }

    @Test(
        "RFC 9651, 4.2.1: what isn't a list is malformed",
        arguments: [
            [","], ["a,"], ["a, "], [",a"], ["a,,b"], ["a b"], ["a", ""], ["", "a"], ["(a"], ["("], ["(a,b)"],
            ["(a\tb)"],
            ["(a)b"], ["((a))"], ["(a))"], [")"], ["(a;b=(c))"], ["(\"a\"\"b\")"], ["a;b", ";c"], ["\"a", "b\"c"],
            ["a=1"],
        ])
    func malformedLists(lines: [String]) {
        #expect(throws: StructuredFieldError.self) { try StructuredList(parsing: lines) }
    }

    @Test("RFC 9651, 3.2: all lines are one dictionary, and a member without a value is true")
    func dictionaries() throws {
        let field = "en=\"Applepie\", da=:w4ZibGV0w6ZydGU=:, a=?0, b, c;foo=bar, d=(e f);g, h=1.5;i"
        let dictionary = try StructuredDictionary(parsing: [field])
        #expect(dictionary.keys == ["en", "da", "a", "b", "c", "d", "h"])
        #expect(dictionary["da"] == .item(StructuredItem(.binary(Data("Æbletærte".utf8)))))
        #expect(dictionary["b"] == .item(StructuredItem(.boolean(true))) && dictionary["x"] == nil)
        let parameters: StructuredParameters = ["foo": .token("bar")]
        #expect(dictionary["c"] == .item(StructuredItem(.boolean(true), parameters: parameters)))
        #expect(dictionary["d"] == .innerList([token("e"), token("f")], parameters: ["g": .boolean(true)]))
        #expect(try dictionary.serialized() == field)
        #expect(try StructuredDictionary(parsing: ["b=?1;c=?1"]).serialized() == "b;c")
        #expect(try StructuredDictionary(parsing: ["a=1 ,\tb", "c"]).keys == ["a", "b", "c"])
        for lines in [[], [""], [" "]] { #expect(try StructuredDictionary(parsing: lines).isEmpty) }
    }

    @Test("RFC 9651, 4.2.2: the last of equal keys counts, with its parameters, in the first one's place")
    func duplicates() throws {
        let dictionary = try StructuredDictionary(parsing: ["a=1;x, b=2", "a=3"])
        #expect(try dictionary.serialized() == "a=3, b=2")
        var pairs: StructuredParameters = ["a": .integer(1), "b": .integer(2), "a": .integer(3)]
        #expect(pairs == ["a": .integer(3), "b": .integer(2)] && pairs != ["b": .integer(2), "a": .integer(3)])
        pairs["a"] = nil
        pairs["c"] = nil
        #expect(pairs.keys == ["b"] && pairs["a"] == nil && !pairs.isEmpty)
    }

    @Test(
        "RFC 9651, 4.2.2: what isn't a dictionary is malformed",
        arguments: [
            "a=", "a= 1", "a =1", "A=1", "1=1", "a=1,", "a=1,,b=2", ",a", "a b", "\"a\"=1", "a==1", "a=1;", "a=(1",
            "a;b=",
            "(a)", "=1", "a=1 b=2",
        ])
    func malformedDictionaries(field: String) {
        #expect(throws: StructuredFieldError.self) { try StructuredDictionary(parsing: [field]) }
    }

    @Test("RFC 9651, 3: long fields are read and written whole")
    func limits() throws {
        let count = 20_000
        let list = StructuredList(
            (0..<count).map { .innerList([token("a")], parameters: ["k\($0)": .integer(Int64($0))]) })
        #expect(try StructuredList(parsing: [list.serialized()]) == list)
        let field = (0..<count).map { "k\($0)=\($0)" }.joined(separator: ", ")
        #expect(try StructuredDictionary(parsing: [field]).serialized() == field)
        #expect(throws: StructuredFieldError.malformed(.value, offset: 1)) {
            try StructuredList(parsing: [String(repeating: "(", count: 1_000_000)])
        }
    }

    @Test("RFC 9651, 4: what is written reads back the same", arguments: [UInt64.random(in: 0...(.max))])
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let list = StructuredList((0..<Int.random(in: 0...5, using: &random)).map { _ in Self.member(&random) })
            #expect(try StructuredList(parsing: [list.serialized()]) == list, "seed \(seed)")
            var dictionary = StructuredDictionary()
            for member in list.members { dictionary[Self.key(&random)] = member }
            #expect(try StructuredDictionary(parsing: [dictionary.serialized()]) == dictionary, "seed \(seed)")
        }
    }

    private static func member(_ random: inout SeededGenerator) -> StructuredMember {
        guard Bool.random(using: &random) else { return .item(item(&random)) }
        let items = (0..<Int.random(in: 0...3, using: &random)).map { _ in item(&random) }
        return .innerList(items, parameters: parameters(&random))
    }

    private static func item(_ random: inout SeededGenerator) -> StructuredItem {
        StructuredItem(value(&random), parameters: parameters(&random))
    }

    private static func parameters(_ random: inout SeededGenerator) -> StructuredParameters {
        var parameters = StructuredParameters()
        for _ in 0..<Int.random(in: 0...3, using: &random) { parameters[key(&random)] = value(&random) }
        return parameters
    }

    private static func key(_ random: inout SeededGenerator) -> String {
        ["a", "*", "b-c", "d_1", "e.f", "*z*"].randomElement(using: &random) ?? ""
    }

    private static func value(_ random: inout SeededGenerator) -> StructuredValue {
        let number = Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)
        let ascii = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0x20...0x7E, using: &random)
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .integer(number)
        case 1: return .decimal(Decimal(number) / 1000)
        case 2: return .string(String(decoding: ascii, as: UTF8.self))
        case 3: return .token(["a", "*/*", "b:c", "D~"].randomElement(using: &random) ?? "")
        case 4: return .binary(Data(ascii.map { $0 &* 3 }))
        case 5: return .boolean(Bool.random(using: &random))
        case 6: return .date(Date(timeIntervalSince1970: TimeInterval(number)))
        default: return .displayString(String(decoding: ascii.map { $0 &* 3 }, as: UTF8.self))
        }
    }
}
