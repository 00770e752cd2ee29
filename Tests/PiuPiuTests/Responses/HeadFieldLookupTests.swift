import Foundation
import PiuPiu
import TestSupport
import Testing

@Suite("The fields of a head, by name", .timeLimit(.minutes(10)))
struct HeadFieldLookupTests {
    @Test("Each name finds its own values, in any case", arguments: 1...8 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let url = try url("http://host/")
        for _ in 0..<300 {
            let fields = (0..<Int.random(in: 0...6, using: &random)).map { (Self.name(&random), "\($0)") }
            let head = TransferHead(url: url, status: 200, fields: fields.map { (name: $0, value: $1) })
            // Names that are there, and names that share their length, their first letter and their last one.
            for name in fields.map(\.0) + (0..<6).map({ _ in Self.name(&random) }) {
                let expected = fields.filter { $0.0.lowercased() == name.lowercased() }.map(\.1)
                #expect(head.values(for: name) == expected, "seed \(seed): \(name) in \(fields)")
                #expect(head.values(for: name.uppercased()) == expected, "seed \(seed): \(name) in \(fields)")
            }
        }
    }

    @Test("Fields from a cache's file are found, too")
    func stored() {
        let lines = HeadLines(bytes: Array("ETag:1\nVary:a\nno field\nvary:b\nLink:x:y\nLast:".utf8))
        #expect(lines.values(for: "etag") == ["1"])
        #expect(lines.values(for: "Vary") == ["a", "b"])
        #expect(lines.values(for: "last") == [""])
        #expect(lines.values(for: "Link") == ["x:y"])
        for name in ["age", "va", "Varya", "Link:x", "no field", ""] {
            #expect(lines.values(for: name).isEmpty, "\(name)")
        }
    }

    private static func name(_ random: inout SeededGenerator) -> String {
        String((0..<Int.random(in: 1...4, using: &random)).compactMap { _ in "abAB-".randomElement(using: &random) })
    }
}
