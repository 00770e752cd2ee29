/// A layer of the sources, which is a module. It knows those below it, and no others.
enum Layer: String, CaseIterable {
    /// What all others use: locks, lines, texts of errors, the updates of a transfer.
    case basics = "PiuPiuBasics"
    /// Requests, responses, their bodies and errors: pure values.
    case vocabulary = "PiuPiuHTTP"
    /// The future, its actor, callbacks, joins, sequences.
    case future = "PiuPiuFutures"
    /// What carries out exchanges, what decorates that, and what an exchange knows of the policies around it.
    case engines = "PiuPiuEngines"
    /// Futures of exchanges, and policies on them.
    case dispatchers = "PiuPiuDispatchers"
    /// Names of older versions, and the mock of a closure.
    case top = "PiuPiu"
    /// Further doubles.
    case testing = "PiuPiuTesting"

    /// The layers that its module imports: what they export is below it, too.
    var imported: Set<Layer> {
        switch self {
        case .basics: []
        case .vocabulary, .future: [.basics]
        case .engines: [.vocabulary]
        case .dispatchers: [.engines, .future]
        case .top: [.dispatchers]
        case .testing: [.top]
        }
    }

    /// Whether it builds where Foundation has no networking.
    var isWithoutNetworking: Bool { self == .basics || self == .future }
}

/// The types that a source file names, and the modules that it imports.
struct NamedTypes {
    private(set) var named: Set<String> = []
    private(set) var imported: Set<String> = []

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
        guard let keyword = words.firstIndex(of: "import") else { return }
        imported.formUnion(words[keyword...].dropFirst().map(String.init))
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
