import Foundation
import Testing

@Suite("Layers of the sources", .timeLimit(.minutes(10)))
struct LayerTests {
    private struct Source {
        let path: String
        let types: NamedTypes
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources").standardized

    private static func sources(of layer: Layer) throws -> [Source] {
        let folder = root.appending(path: layer.rawValue)
        let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?
            .compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
        return try (names ?? []).map { name in
            let source = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            return Source(path: "\(layer.rawValue)/\(name)", types: NamedTypes(in: source))
        }
    }

    // A module that the manifest doesn't name as a dependency is found all the same, if it was built before.
    @Test("Each layer imports the layers below it, and no others", arguments: Layer.allCases)
    func arrows(of layer: Layer) throws {
        let sources = try Self.sources(of: layer)
        #expect(sources.count > 10)
        let modules = Set(try FileManager.default.contentsOfDirectory(atPath: Self.root.path(percentEncoded: false)))
        #expect(modules.isSuperset(of: Layer.allCases.map(\.rawValue)))
        var found: Set<String> = []
        for source in sources {
            let imported = source.types.imported.filter { modules.contains($0) && !$0.hasPrefix("CPiuPiu") }
            let isKnown = imported.isSubset(of: layer.imported.map(\.rawValue))
            #expect(isKnown, "\(source.path) imports \(imported.sorted())")
            found.formUnion(imported)
        }
        #expect(found == Set(layer.imported.map(\.rawValue)))
    }

    // On Linux the compiler would see the import. On Apple platforms these types come with Foundation.
    @Test("The futures name nothing of Foundation's networking, so that they build where there is none")
    func futuresWithoutNetworking() throws {
        let sources = try Layer.allCases.filter(\.isWithoutNetworking).flatMap(Self.sources)
        #expect(sources.count > 100)
        for source in sources {
            for name in source.types.named {
                let isNetworking =
                    name.hasPrefix("URLSession") || name.hasPrefix("URLRequest") || name.hasPrefix("URLResponse")
                    || ["FoundationNetworking", "HTTPURLResponse", "HTTPCookie", "PiuPiu"].contains(name)
                #expect(!isNetworking, "\(source.path) names \(name)")
            }
        }
    }

    @Test("Types and imports are found where they are named, and not in comments and texts")
    func types() {
        let types = NamedTypes(
            in: """
                @_exported public import Zero
                    package import Point  // import Minus
                public final class One: Two {}
                private struct Three {}
                /// Four
                extension Five {
                    enum Six { case six(Seven) }  // Eight
                    let text = "Nine \\" Ten", eleven: Eleven?
                }
                """)
        #expect(types.imported == ["Zero", "Point"])
        #expect(types.named == ["Zero", "Point", "One", "Two", "Three", "Five", "Six", "Seven", "Eleven"])
    }
}
