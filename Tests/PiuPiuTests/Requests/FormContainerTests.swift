import Foundation
import PiuPiu
import Testing

@Suite("Containers of encoded forms", .timeLimit(.minutes(10)))
struct FormContainerTests {
    private enum Key: String, CodingKey { case a, b, c }

    /// Encodes itself as a test says.
    private struct Custom: Encodable {
        let body: (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    private class Animal: Encodable {
        let name = "Ada"
    }

    /// Shares the names of its superclass.
    private final class Cat: Animal {
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(9, forKey: .a)
        }
    }

    /// Has the fields of its superclass in a value of its own.
    private final class Dog: Animal {
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: container.superEncoder())
            try super.encode(to: container.superEncoder(forKey: .b))
            try container.encode(1, forKey: .a)
        }
    }

    private func text(_ body: @escaping (any Encoder) throws -> Void) throws -> String {
        try text(of: Custom(body: body))
    }

    private func text(of value: some Encodable) throws -> String {
        try URLEncodedFormEncoder(arrays: .indices).encode(value).fields.map { "\($0.name)=\($0.value)" }
            .joined(separator: "|")
    }

    @Test("Classes encode what their superclasses have")
    func classes() throws {
        #expect(try text(of: Cat()) == "name=Ada|a=9")
        #expect(try text(of: Dog()) == "super[name]=Ada|b[name]=Ada|a=1")
    }

    @Test("Nested containers may be filled in any order, and have the places in which they were made")
    func nested() throws {
        let text = try text { encoder in
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .c)
            var member = container.nestedContainer(keyedBy: Key.self, forKey: .b)
            try container.encode("last", forKey: .a)
            try list.encode(1)
            try member.encode(2, forKey: .a)
            var inner = list.nestedContainer(keyedBy: Key.self)
            var deep = list.nestedUnkeyedContainer()
            try 4.encode(to: list.superEncoder())
            try list.encodeNil()
            #expect(list.count == 5 && list.codingPath.map(\.stringValue) == ["c"])
            try inner.encode(3, forKey: .b)
            try deep.encode(contentsOf: [5, 6])
            #expect(deep.codingPath.map(\.intValue) == [nil, 2])
            var again = container.nestedContainer(keyedBy: Key.self, forKey: .b)
            try again.encode(7, forKey: .c)
        }
        #expect(text == "c[0]=1|c[1][b]=3|c[2][0]=5|c[2][1]=6|c[3]=4|b[a]=2|b[c]=7|a=last")
    }

    @Test("The last value of a name counts, in the place of the first")
    func twice() throws {
        #expect(
            try text { encoder in
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try container.encode([2], forKey: .b)
                try container.encode(["x": 3], forKey: .a)
                try container.encode(4, forKey: .c)
                try container.encodeNil(forKey: .c)
                var other = encoder.container(keyedBy: Key.self)
                try other.encode(5, forKey: .b)
            } == "a[x]=3|b=5")
        let single = Custom { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(2)
        }
        #expect(try text(of: ["v": single]) == "v=2")
        let cleared = Custom { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encodeNil()
        }
        #expect(try text(of: ["v": cleared]) == "")
    }

    @Test("A value that a type gives up leaves nothing behind")
    func givenUp() throws {
        #expect(
            try text { encoder in
                var container = encoder.container(keyedBy: Key.self)
                try container.encode([1.0], forKey: .a)
                #expect(throws: EncodingError.self) { try container.encode([2, Double.nan], forKey: .a) }
                #expect(throws: EncodingError.self) { try container.encode([Double.nan], forKey: .b) }
            } == "a[0]=1")
    }

    @Test("Each kind of container takes whole numbers of 128 bits")
    func longIntegers() throws {
        let single = Custom { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Int128.max)
            try container.encode(UInt128.max)
        }
        let largest = "340282366920938463463374607431768211455"
        #expect(
            try text { encoder in
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(Int128(-1), forKey: .a)
                try container.encode(UInt128.max, forKey: .b)
                var list = container.nestedUnkeyedContainer(forKey: .c)
                try list.encode(Int128(-2))
                try list.encode(UInt128.max)
                try list.encode(single)
            } == "a=-1|b=\(largest)|c[0]=-2|c[1]=\(largest)|c[2]=\(largest)")
    }

    @Test("Values may be encoded as others, and together")
    func others() throws {
        #expect(
            try text { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(["b": 1])
                try Cat().encode(to: encoder)
                try container.encode(["c": 2])
                try container.encodeNil()
            } == "a=9|b=1|c=2|name=Ada")
    }

    @Test("Containers of several kinds are an error, not a trap")
    func mixed() throws {
        let faults: [(any Encoder) throws -> Void] = [
            { encoder in
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                var list = encoder.unkeyedContainer()
                try list.encode(2)
                try container.encode(3, forKey: .b)
            },
            { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(1)
                var members = encoder.container(keyedBy: Key.self)
                try members.encode(2, forKey: .a)
            },
            { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(1)
                var container = encoder.singleValueContainer()
                try container.encode(["a": 2])
            },
        ]
        for fault in faults {
            let error = try #require(throws: RequestBodyError.self) {
                try URLEncodedFormEncoder().encode(["outer": Custom(body: fault)])
            }
            #expect(error.codingPath == "outer")
            #expect(error.localizedDescription.contains("containers of several kinds"))
        }
    }

    @Test("Containers that a type nests without an end are an error")
    func endless() throws {
        let endless = Custom { encoder in
            var container = encoder.container(keyedBy: Key.self)
            for _ in 0..<100_000 { container = container.nestedContainer(keyedBy: Key.self, forKey: .a) }
            #expect(throws: EncodingError.self) { try container.encode(1, forKey: .b) }
        }
        let error = try #require(throws: RequestBodyError.self) { try URLEncodedFormEncoder().encode(endless) }
        #expect(error.localizedDescription.contains("128 values"))
    }
}
