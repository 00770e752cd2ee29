import Foundation
import PiuPiu
import Testing

@Suite("Transforms in containers", .timeLimit(.minutes(10)))
struct TransformContainerTests {
    /// An object with each kind of container, read and written with transforms.
    private struct Model: Codable {
        enum CodingKeys: String, CodingKey {
            case name, missing, null, list, single
        }

        struct Single: Codable {
            var value: String?

            init(_ value: String?) {
                self.value = value
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                value = try container.decodeIfPresent(using: PathTransform())
                if value != nil { value = try container.decode(using: PathTransform()) }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                guard let value else { return try container.encodeIfPresent(nil, using: PathTransform()) }
                try container.encode(value, using: PathTransform())
            }
        }

        var name = "Name"
        var missing: String?
        var null: String? = "Null"
        var list: [String?] = []
        var single = Single("Single")

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(using: PathTransform(), forKey: .name)
            missing = try container.decodeIfPresent(using: PathTransform(), forKey: .missing)
            null = try container.decodeIfPresent(using: PathTransform(), forKey: .null)
            var elements = try container.nestedUnkeyedContainer(forKey: .list)
            list.append(try elements.decode(using: PathTransform()))
            while !elements.isAtEnd { list.append(try elements.decodeIfPresent(using: PathTransform())) }
            let end = try elements.decodeIfPresent(using: PathTransform())
            #expect(end == nil)
            single = try container.decode(Single.self, forKey: .single)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name, using: PathTransform())
            try container.encodeIfPresent(missing, forKey: .missing, using: PathTransform())
            try container.encodeIfPresent(null, forKey: .null, using: PathTransform())
            var elements = container.nestedUnkeyedContainer(forKey: .list)
            for element in list {
                guard let element else {
                    try elements.encodeIfPresent(nil, using: PathTransform())
                    continue
                }
                try elements.encode(element, using: PathTransform())
            }
            try container.encode(single, forKey: .single)
        }
    }

    private func decode(_ json: String) throws -> Model {
        try JSONDecoder().decode([Model].self, from: Data(json.utf8))[0]
    }

    @Test("Each kind of container reads with a transform; a missing or null optional is nil")
    func decoding() throws {
        let model = try decode(#"[{"name":"A","null":null,"list":["B",null,"C"],"single":"D"}]"#)
        #expect(model.name == "A")
        #expect(model.missing == nil)
        #expect(model.null == nil)
        #expect(model.list == ["B", nil, "C"])
        #expect(model.single.value == "D")
        #expect(try decode(#"[{"name":"A","list":["B"],"single":null}]"#).single.value == nil)
    }

    @Test("Each kind of container writes with a transform; nil leaves out the key, or is null without keys")
    func encoding() throws {
        var model = Model()
        model.list = ["A", nil, "B"]
        model.single.value = nil
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            try encoder.encode(model).jsonText == #"{"list":["A",null,"B"],"name":"Name","null":"Null","single":null}"#)
    }

    @Test(
        "When it reads, a transform gets the container's path, with the key or index",
        arguments: [
            (#"[{"name":"a","list":["B"],"single":"C"}]"#, "0.name"),
            (#"[{"name":"A","missing":"a","list":["B"],"single":"C"}]"#, "0.missing"),
            (#"[{"name":"A","list":["b"],"single":"C"}]"#, "0.list.0"),
            (#"[{"name":"A","list":["B","C","d"],"single":"C"}]"#, "0.list.2"),
            (#"[{"name":"A","list":["B"],"single":"c"}]"#, "0.single"),
            (#"[{"list":["B"],"single":"C"}]"#, "0.name"),
        ])
    func decodingPaths(_ json: String, _ expected: String) throws {
        let error = try #require(throws: DecodingError.self) { try decode(json) }
        #expect(codingPathText(of: error) == expected)
    }

    @Test("When it writes, a transform gets the container's path, with the key or index")
    func encodingPaths() throws {
        var models: [String: Model] = [:]
        models["0.name"] = Model()
        models["0.name"]?.name = "a"
        models["0.null"] = Model()
        models["0.null"]?.null = "a"
        models["0.list.1"] = Model()
        models["0.list.1"]?.list = ["A", "b"]
        models["0.single"] = Model()
        models["0.single"]?.single.value = "a"
        for (expected, model) in models {
            let error = try #require(throws: EncodingError.self) { try JSONEncoder().encode([model]) }
            #expect(codingPathText(of: error) == expected)
        }
    }

    @Test("An element that the transform refuses is consumed: the next call gets the one after it")
    func refusedElements() throws {
        struct Capitals: Decodable {
            var found: [String] = []

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd {
                    if let text = try? container.decode(using: PathTransform()) { found.append(text) }
                }
            }
        }
        #expect(try JSONDecoder().decode(Capitals.self, from: Data(#"["a","B","c","D"]"#.utf8)).found == ["B", "D"])
    }

    @Test("With EmptyStringTransform, nil leaves out the key and empty text is null, as in PiuPiu 1.11")
    func emptyStrings() throws {
        struct Model: Codable {
            enum CodingKeys: String, CodingKey {
                case value
            }
            var value: String?

            init(_ value: String?) {
                self.value = value
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                let optional: String?? = try container.decodeIfPresent(using: EmptyStringTransform(), forKey: .value)
                value = optional ?? nil
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encodeIfPresent(value, forKey: .value, using: EmptyStringTransform())
            }
        }
        for (value, json) in [(nil, "{}"), ("", #"{"value":null}"#), ("a", #"{"value":"a"}"#)] as [(String?, String)] {
            #expect(try JSONEncoder().encode(Model(value)).jsonText == json)
        }
        for json in ["{}", #"{"value":null}"#, #"{"value":""}"#] {
            #expect(try JSONDecoder().decode(Model.self, from: Data(json.utf8)).value == nil)
        }
        #expect(try EmptyStringTransform().json("").jsonText == #"{"value":null}"#)
        #expect(try EmptyStringTransform().json(nil).jsonText == #"{"value":null}"#)
    }
}
