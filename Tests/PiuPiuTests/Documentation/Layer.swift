/// A layer of the sources of PiuPiu: it knows those below it, and no others.
///
/// The future, and those of the basics that it needs, are a module, for which the compiler sees to that. The other layers
/// are folders of one module, of which only types are compared: a function or a property of a layer above isn't seen.
enum Layer: String, CaseIterable {
    /// What all others use: locks, lines, texts of errors, the updates of a transfer.
    case basics
    /// Requests, responses, their bodies and errors: pure values.
    case vocabulary
    /// The future, its actor, callbacks, joins, sequences.
    case future
    /// What carries out exchanges, and what decorates that.
    case engines
    /// Futures of exchanges, and policies on them.
    case dispatchers
    /// Names of older versions, and doubles.
    case top

    var below: Set<Layer> {
        switch self {
        case .basics: []
        case .vocabulary, .future: [.basics]
        case .engines: [.basics, .vocabulary]
        case .dispatchers: [.basics, .vocabulary, .future, .engines]
        case .top: [.basics, .vocabulary, .future, .engines, .dispatchers]
        }
    }

    /// The modules, whose folders are the layers below.
    static let modules = ["PiuPiuFutures", "PiuPiu"]

    /// The folders of `Sources`; the longest that a file is in counts.
    private static let folders: [String: Layer] = [
        "PiuPiuFutures/Basics": .basics, "PiuPiuFutures/Errors": .basics, "PiuPiuFutures": .future,
        "PiuPiu/Basics": .basics,
        "PiuPiu/Requests": .vocabulary, "PiuPiu/Responses": .vocabulary, "PiuPiu/Streaming": .vocabulary,
        "PiuPiu/Transforms": .vocabulary,
        "PiuPiu/Dispatchers/Cookies": .engines, "PiuPiu/Dispatchers/CurlEngine": .engines,
        "PiuPiu/Dispatchers/Engine": .engines,
        "PiuPiu/Dispatchers/FileSystem": .engines, "PiuPiu/Dispatchers/LocalResources": .engines,
        "PiuPiu/Dispatchers/Security": .engines,
        "PiuPiu/Dispatchers/URLSessionEngine": .engines,
        "PiuPiu/Policies/Breaker": .engines, "PiuPiu/Policies/Cache": .engines, "PiuPiu/Policies/Coalesce": .engines,
        "PiuPiu/Policies/Engines": .engines, "PiuPiu/Policies/Limit": .engines,
        "PiuPiu/Dispatchers": .dispatchers, "PiuPiu/Policies": .dispatchers,
        "PiuPiu/Streaming/EventSource": .dispatchers,
        "PiuPiu/Compatibility": .top, "PiuPiu/TestDoubles": .top,
    ]

    /// The layer of a file, by its path in `Sources`; `nil` where its folder is in none.
    init?(path: String) {
        let folder = Self.folders.keys.filter { path.hasPrefix($0 + "/") }.max { $0.count < $1.count }
        guard let layer = folder.flatMap({ Self.folders[$0] }) else { return nil }
        self = layer
    }
}

/// The types that a source file declares and names.
struct NamedTypes {
    /// Those that other files can name without the type around them.
    private(set) var declared: Set<String> = []
    /// Those inside of other types.
    private(set) var nested: Set<String> = []
    private(set) var named: Set<String> = []

    private static let keywords: Set<Substring> = ["class", "struct", "enum", "protocol", "actor", "typealias"]

    init(in source: String) {
        var isInText = false
        for line in source.split(separator: "\n") {
            if line.contains("\"\"\"") {
                isInText.toggle()
                continue
            }
            if !isInText { add(line) }
        }
    }

    private mutating func add(_ line: Substring) {
        let words = Self.code(of: line).split { !($0.isLetter || $0.isNumber || $0 == "_") }
        named.formUnion(words.lazy.filter { $0.first?.isUppercase == true }.map(String.init))
        guard let keyword = words.firstIndex(where: Self.keywords.contains), keyword + 1 < words.count else { return }
        let name = String(words[keyword + 1])
        if line.first == " " || words[..<keyword].contains("private") || words[..<keyword].contains("fileprivate") {
            nested.insert(name)
        } else {
            declared.insert(name)
        }
    }

    /// The line without comments and texts.
    private static func code(of line: Substring) -> String {
        var code = ""
        var (isInText, last): (Bool, Character?) = (false, nil)
        for character in line {
            if character == "\"", last != "\\" { isInText.toggle() }
            if character == "/", last == "/", !isInText { return code }
            if !isInText { code.append(character) }
            last = character
        }
        return code
    }
}
