// Compares the public symbols of symbol graphs with those that are recorded in `.ci/api`, a file a module, a line a symbol; with
// `--record` it records them.
//
//     swift .ci/api/compare.swift GRAPHS [--record]
//
// A line that is gone, or has changed, is an error, unless `allowed.txt` has it. What the compiler makes by itself has no place
// in a source, and doesn't count: it comes and goes with a conformance, which is a line of its own.
import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Location: Decodable { let uri: String }
        struct Fragment: Decodable { let spelling: String }
        struct Constraint: Decodable { let kind, lhs, rhs: String }
        struct Extension: Decodable { let constraints: [Constraint]? }

        let kind: Kind
        let identifier: Identifier
        let pathComponents: [String]
        let location: Location?
        let declarationFragments: [Fragment]?
        let swiftExtension: Extension?
    }

    struct Relationship: Decodable { let kind, source, target: String, targetFallback: String? }
    struct Module: Decodable { let name: String }

    let module: Module
    let symbols: [Symbol]
    let relationships: [Relationship]
}

extension Graph.Symbol {
    var path: String { pathComponents.joined(separator: ".") }

    /// Its declaration on one line. A property reads the same to its users whether it is stored or computed.
    var declaration: String {
        let text = (declarationFragments ?? []).map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        guard kind.identifier.hasSuffix("property"), !text.contains("{") else { return text }
        let isConstant = declarationFragments?.contains { $0.spelling == "let" } == true
        return isConstant ? text.replacingOccurrences(of: "let ", with: "var ") + " { get }" : text + " { get set }"
    }

    /// What it is, on one line: its path, its declaration, and what the extension around it asks for.
    var line: String {
        let signs = ["sameType": "==", "conformance": ":", "superclass": ":"]
        let asked = (swiftExtension?.constraints ?? []).map { "\($0.lhs) \(signs[$0.kind] ?? $0.kind) \($0.rhs)" }.sorted()
        let condition = asked.isEmpty ? "" : "    [where \(asked.joined(separator: ", "))]"
        return "\(path)    \(declaration)\(condition)"
    }
}

func fail(_ text: String) -> Never {
    fflush(nil)
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
guard let folder = arguments.first.map({ URL(filePath: $0) }), arguments.count == 1 || arguments.last == "--record" else {
    fail("usage: swift .ci/api/compare.swift GRAPHS [--record]")
}
let graphs = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
    .map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }

// What every type has, or the compiler infers: not the same in each of its versions.
let inferred: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable"]
var paths: [String: String] = [:]
for symbol in graphs.flatMap(\.symbols) { paths[symbol.identifier.precise] = symbol.path }
var modules: [String: Set<String>] = [:]
for graph in graphs {
    modules[graph.module.name, default: []].formUnion(graph.symbols.filter { $0.location != nil }.map(\.line))
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
        // What PiuPiu exports of the modules below it counts as its own.
        let ownName = graph.module.name == "PiuPiu" ? "" : "PiuPiu."
        let target = relationship.targetFallback?.replacing(#/PiuPiu(Basics|Futures|HTTP|Engines|Dispatchers)\./#, with: ownName)
            ?? paths[relationship.target]
        guard let target, !inferred.contains(target), let source = paths[relationship.source] else { continue }
        modules[graph.module.name, default: []].insert("\(source): \(target)")
    }
}
guard modules.count == 5, modules.values.reduce(0, { $0 + $1.count }) > 2_000 else { fail("these can't be all symbols") }

let records = URL(filePath: #filePath).deletingLastPathComponent()
func lines(of name: String) throws -> [String] {
    try String(contentsOf: records.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
}

if arguments.last == "--record" {
    for (module, lines) in modules {
        let text = lines.sorted().map { "\($0)\n" }.joined()
        try text.write(to: records.appending(path: "\(module).txt"), atomically: true, encoding: .utf8)
    }
    print("recorded; now empty .ci/api/allowed.txt, but for its comment")
    exit(0)
}

let allowed = try lines(of: "allowed.txt").filter { !$0.hasPrefix("#") }
var broken: [String] = [], unused = Set(allowed), added = 0
for (module, now) in modules.sorted(by: { $0.key < $1.key }) {
    let recorded = Set(try lines(of: "\(module).txt"))
    added += now.subtracting(recorded).count
    for line in recorded.subtracting(now).sorted() where unused.remove("\(module).\(line)") == nil {
        // The lines of the same name, whatever its arguments, that are new: what it may have become.
        let name = line.prefix { !"( ".contains($0) }
        let others = now.subtracting(recorded).filter { $0.prefix { !"( ".contains($0) } == name }.sorted()
        broken.append("gone:  \(module).\(line)" + others.map { "\n  now: \(module).\($0)" }.joined())
    }
}
for line in broken { print(line) }
for line in unused.sorted() { print("still there, or not recorded: \(line)") }
print("public API: \(broken.count) lines gone that are not allowed, \(allowed.count - unused.count) allowed, \(added) new")
if !broken.isEmpty {
    fail("Bring it back, as a deprecated name if need be; or add what stands after \"gone:\" to .ci/api/allowed.txt, with the reason.")
}
if !unused.isEmpty { fail("Take these lines out of .ci/api/allowed.txt.") }
