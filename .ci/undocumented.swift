// Prints the public symbols without a documentation comment, and fails if there are more of them than were recorded.
//
//     swift .ci/undocumented.swift FOLDER RECORDED
//
// The folder holds the symbol graphs that `swift symbolgraph-extract` writes. What the compiler makes by itself, such as the
// `hash(into:)` of an enumeration, has no place in a source, and doesn't count.
import Foundation

struct Graph: Decodable {
    struct Symbol: Decodable {
        struct Location: Decodable { let uri: String }
        struct Comment: Decodable {}

        let pathComponents: [String]
        let docComment: Comment?
        let location: Location?
    }

    struct Module: Decodable { let name: String }

    let module: Module
    let symbols: [Symbol]
}

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count == 3, let recorded = Int(CommandLine.arguments[2]) else {
    fail("usage: swift .ci/undocumented.swift FOLDER RECORDED")
}
let folder = URL(filePath: CommandLine.arguments[1])
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .filter { $0.lastPathComponent.hasSuffix(".symbols.json") }
let graphs = try files.map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
let symbols = graphs.flatMap { graph in graph.symbols.map { (module: graph.module.name, symbol: $0) } }
    .filter { $0.symbol.location != nil }
guard symbols.count > 1_000 else { fail("\(symbols.count) symbols in \(folder.path()): these can't be all") }

let undocumented = symbols.filter { $0.symbol.docComment == nil }
for (module, symbol) in undocumented { print("\(module).\(symbol.pathComponents.joined(separator: "."))") }
print("\(undocumented.count) of \(symbols.count) public symbols have no documentation; \(recorded) are recorded")
if undocumented.count > recorded { fail("document the new ones") }
