import Foundation
import Testing

@Suite("Layers of the sources", .timeLimit(.minutes(10)))
struct LayerTests {
    private struct Source {
        let path: String
        let layer: Layer
        let types: NamedTypes
    }

    /// What a layer knows of those above it, and why.
    private static let exceptions: [Layer: [String: String]] = [
        .vocabulary: ["StoredResponse": "a cache leaves with a head which of its responses it has validated"],
        .engines: [
            "Deadline": "nothing is sent for a request whose time is over, nor for longer than it lasts",
            "ExchangeObservation": "an observation gets the events of the engine",
            "HedgeScope": "copies of one request are not coalesced",
            "CredentialRefresh": "a refresh doesn't wait behind the requests that wait for it",
            "PartialCancellation": "a deadline ends a transfer without the task around it",
            "RetryRules": "a breaker counts what a retry would try again",
            "Trampoline": "a place that a cancellation frees is not given to a request that it cancels next",
            "URLRequestDispatcher": "what decorates an engine decorates that of a dispatcher by the same name",
        ],
    ]

    private static func sources() throws -> [Source] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources").standardized
        return try Layer.modules.flatMap { module in
            let folder = root.appending(path: module)
            let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))?
                .compactMap { $0 as? String }
                // What is exported again belongs to the layers of its module.
                .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") && $0 != "Exports.swift" }
            return try (names ?? []).map { name in
                let path = "\(module)/\(name)"
                let layer = try #require(Layer(path: path), "\(path) is in no layer: add its folder to Layer")
                let source = String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
                return Source(path: path, layer: layer, types: NamedTypes(in: source))
            }
        }
    }

    @Test("Each layer names types of the layers below it, and of no others")
    func arrows() throws {
        let sources = try Self.sources()
        #expect(sources.count > 500)
        var layers: [String: Set<Layer>] = [:]
        var nested: [Layer: Set<String>] = [:]
        for source in sources {
            for name in source.types.declared { layers[name, default: []].insert(source.layer) }
            nested[source.layer, default: []].formUnion(source.types.nested)
        }
        var found: [Layer: Set<String>] = [:]
        for source in sources {
            let known = source.layer.below.union([source.layer])
            for name in source.types.named {
                guard let owners = layers[name], owners.isDisjoint(with: known) else { continue }
                // A type inside of another one of this layer, of the same name.
                if nested[source.layer]?.contains(name) == true { continue }
                found[source.layer, default: []].insert(name)
                let isKnown = Self.exceptions[source.layer]?[name] != nil
                #expect(isKnown, "\(source.path), of the \(source.layer), names \(name), of the \(owners)")
            }
        }
        // What is listed and gone would hide the next use.
        #expect(found == Self.exceptions.mapValues { Set($0.keys) })
    }

    // On Linux the compiler would see the import. On Apple platforms these types come with Foundation.
    @Test("The futures name nothing of Foundation's networking, so that they build where there is none")
    func futuresWithoutNetworking() throws {
        let sources = try Self.sources().filter { $0.path.hasPrefix("PiuPiuFutures/") }
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

    @Test("Types are found where they are declared and named, and not in comments and texts")
    func types() {
        let types = NamedTypes(
            in: """
                public final class One: Two {}
                private struct Three {}
                /// Four
                extension Five {
                    enum Six { case six(Seven) }  // Eight
                    let text = "Nine \\" Ten", eleven: Eleven?
                }
                """)
        #expect(types.declared == ["One"])
        #expect(types.nested == ["Three", "Six"])
        #expect(types.named == ["One", "Two", "Three", "Five", "Six", "Seven", "Eleven"])
    }
}
