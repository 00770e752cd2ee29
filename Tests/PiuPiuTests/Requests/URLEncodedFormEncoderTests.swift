import Foundation
import PiuPiu
import Testing

@Suite("Encoded forms", .timeLimit(.minutes(10)))
struct URLEncodedFormEncoderTests {
    typealias Encoder = URLEncodedFormEncoder

    private struct Author: Encodable {
        var lastName = "d"
        var isKnown = true
    }

    private struct Search: Encodable {
        var text = "a"
        var tags = ["b", "c"]
        var author: Author? = Author()
        var page: Int?
    }

    private struct Value<Wrapped: Encodable>: Encodable {
        var v: Wrapped

        init(_ wrapped: Wrapped) { v = wrapped }
    }

    /// The fields of an encoded value, in order: "name=value|name=value".
    private func text(_ value: some Encodable, _ encoder: Encoder = Encoder()) throws -> String {
        try encoder.encode(value).fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    }

    @Test("Fields keep the order of the type, and nil is left out")
    func order() throws {
        #expect(try text(Search()) == "text=a|tags=b|tags=c|author[lastName]=d|author[isKnown]=true")
        #expect(try text(Search(tags: [], author: nil, page: 2)) == "text=a|page=2")
        let optional: Search? = nil
        #expect(try text(optional) == "")
        #expect(try text(Optional(Search(tags: [], author: nil))) == "text=a")
    }

    @Test("Arrays, nested values, booleans and keys are written as chosen")
    func formats() throws {
        let brackets = Encoder(arrays: .brackets, nesting: .dots, booleans: .digits, keys: .snakeCase)
        #expect(try text(Search(), brackets) == "text=a|tags[]=b|tags[]=c|author.last_name=d|author.is_known=1")
        let paths = Encoder.KeyEncoding.custom { path in path.map(\.stringValue).joined(separator: "/") }
        let indices = Encoder(arrays: .indices, keys: paths)
        #expect(
            try text(Search(), indices)
                == "text=a|tags[0]=b|tags[1]=c|author[author/lastName]=d|author[author/isKnown]=true")
        #expect(try text(Search(author: nil), Encoder(arrays: .joined(separator: ", "))) == "text=a|tags=b, c")
        #expect(try text(Value(false), Encoder(booleans: .digits)) == "v=0")
    }

    private static let arrays: [(Encoder.ArrayEncoding, nested: String, values: String)] = [
        (.repeated, "v=1|v=2|v=3", "v[lastName]=a|v[isKnown]=true|v[lastName]=b|v[isKnown]=true"),
        (.brackets, "v[][]=1|v[][]=2|v[][]=3", "v[][lastName]=a|v[][isKnown]=true|v[][lastName]=b|v[][isKnown]=true"),
        (
            .indices, "v[0][0]=1|v[0][1]=2|v[1][0]=3",
            "v[0][lastName]=a|v[0][isKnown]=true|v[1][lastName]=b|v[1][isKnown]=true"
        ),
    ]

    @Test("Arrays within arrays, and of values with members", arguments: arrays)
    func nestedArrays(arrays: Encoder.ArrayEncoding, nested: String, values: String) throws {
        let encoder = Encoder(arrays: arrays)
        #expect(try text(Value([[1, 2], [], [3]]), encoder) == nested)
        #expect(try text(Value([Author(lastName: "a"), nil, Author(lastName: "b")]), encoder) == values)
    }

    @Test("What is empty has no field, within an array, too")
    func empty() throws {
        struct Nothing: Encodable {}
        struct Silent: Encodable { func encode(to encoder: any Swift.Encoder) throws {} }
        let optionals: [Int?] = [nil, 1, nil, nil, 2]
        #expect(try text(Value(optionals)) == "v=1|v=2")
        #expect(try text(Value(optionals), Encoder(arrays: .indices)) == "v[0]=1|v[1]=2")
        #expect(try text(Value(optionals), Encoder(arrays: .joined(separator: ","))) == "v=1,2")
        let lists: [[Int?]] = [[], [nil]]
        for arrays: Encoder.ArrayEncoding in [.repeated, .brackets, .indices, .joined(separator: ",")] {
            let encoder = Encoder(arrays: arrays)
            #expect(try text(Value([Int]()), encoder) == "")
            #expect(try text(Value(lists), encoder) == "")
            #expect(try text(Value([String: Int]()), encoder) == "")
            #expect(try text(Value([Nothing()]), encoder) == "")
            #expect(try text(Value([Silent()]), encoder) == "")
        }
        #expect(try text(Nothing()) == "")
        #expect(try text(Silent()) == "")
        #expect(try text([String: Int]()) == "")
        #expect(try text(Value([""])) == "v=")
        #expect(try text(Value(["", ""]), Encoder(arrays: .joined(separator: ","))) == "v=,")
    }

    @Test("Dictionaries are sorted by name, which no setting changes")
    func dictionaries() throws {
        let names = Dictionary(uniqueKeysWithValues: (10..<40).map { ("aName\($0)", $0) })
        let expected = (10..<40).map { "aName\($0)=\($0)" }.joined(separator: "|")
        #expect(try text(names, Encoder(keys: .snakeCase)) == expected)
        let nested = (10..<40).map { "v[aName\($0)]=\($0)" }.joined(separator: "|")
        #expect(try text(Value(names), Encoder(keys: .custom { $0.last?.stringValue ?? "" })) == nested)
        #expect(try text(Value(Optional(names)), Encoder(keys: .snakeCase)) == nested)
        #expect(try text(["outer": ["b": ["y", "z"], "a": ["x"]]]) == "outer[a]=x|outer[b]=y|outer[b]=z")
        #expect(try text(Dictionary(uniqueKeysWithValues: (1...9).map { ($0, $0) })).hasPrefix("1=1|2=2|3=3"))
        #expect(try text(["lastNames": Author()], Encoder(keys: .snakeCase)).hasPrefix("lastNames[last_name]=d"))
    }

    private enum PlainKey: String, Encodable { case name, city }
    private enum NamedKey: String, Encodable, CodingKeyRepresentable { case name, city }

    @Test("A dictionary whose keys are no names is an error, and has no field without entries")
    func dictionariesWithoutNames() throws {
        let plain: [PlainKey: String] = [.name: "Ada", .city: "London"]
        for arrays: Encoder.ArrayEncoding in [.repeated, .brackets, .indices, .joined(separator: ",")] {
            let encoder = Encoder(arrays: arrays)
            let error = try #require(throws: RequestBodyError.self) { try encoder.encode(["filter": Optional(plain)]) }
            #expect(error.codingPath == "filter")
            #expect(error.localizedDescription.contains("must be String, Int or CodingKeyRepresentable"))
            #expect(!error.localizedDescription.contains("Ada"))
            #expect(throws: RequestBodyError.self) { try encoder.encode(plain) }
            #expect(throws: RequestBodyError.self) { try encoder.encode(Value([plain])) }
            #expect(try text([PlainKey: String](), encoder) == "")
            #expect(try text(Value([PlainKey: String]()), encoder) == "")
            #expect(try text(Value([[PlainKey: String]()]), encoder) == "")
        }
        #expect(try text([NamedKey.name: "Ada", .city: "London"]) == "city=London|name=Ada")
    }

    @Test("Single values of a set are sorted by their text")
    func sets() throws {
        let numbers = Set(10..<40)
        #expect(try text(Value(numbers)) == (10..<40).map { "v=\($0)" }.joined(separator: "|"))
        #expect(try text(Value(Optional(numbers)), Encoder(arrays: .indices)).hasPrefix("v[0]=10|v[1]=11|v[2]=12|"))
        #expect(try text(Value(Set(["b", "é", "a", "C"])), Encoder(arrays: .joined(separator: ","))) == "v=C,a,b,é")
        let optionals: Set<Int?> = [3, nil, 1, 2]
        #expect(try text(Value(optionals), Encoder(arrays: .indices)) == "v[0]=1|v[1]=2|v[2]=3")
        #expect(try text(Value([3, 1, 2])) == "v=3|v=1|v=2")
        let lists: Set = [[1, 2], [3, 4]]
        #expect(["v=1|v=2|v=3|v=4", "v=3|v=4|v=1|v=2"].contains(try text(Value(lists))))
    }

    @Test("Names and values may have any characters")
    func characters() throws {
        let form = try Encoder().encode(["a&b=c+d%e é[0]": ["&=+% é\r\n"], "": ["x"]])
        #expect(form.fields.map(\.name) == ["", "a&b=c+d%e é[0]"])
        #expect(URLEncodedForm(parsing: form.text) == form)
    }

    private static let keys: [(String, String)] = [
        ("", ""), ("a", "a"), ("A", "a"), ("lastName", "last_name"), ("myURLProperty", "my_url_property"),
        ("userID", "user_id"), ("a_b", "a_b"), ("_aB", "_a_b"), ("aB_", "a_b_"), ("URLs", "u_r_ls"),
        ("x2Y", "x2_y"), ("myX1y", "my_x_1y"), ("äÖü", "ä_öü"), ("ABC", "a_bc"),
    ]

    @Test("Snake case is that of a JSONEncoder", arguments: keys)
    func snakeCase(key: String, expected: String) throws {
        struct Named: Encodable {
            struct Key: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }

            let name: String

            func encode(to encoder: any Swift.Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: Key(stringValue: name))
            }
        }
        #expect(try text(Named(name: key), Encoder(keys: .snakeCase)) == "\(expected)=1")
        let json = JSONEncoder()
        json.keyEncodingStrategy = .convertToSnakeCase
        #expect(try String(decoding: json.encode(Named(name: key)), as: UTF8.self) == #"{"\#(expected)":1}"#)
    }
}
