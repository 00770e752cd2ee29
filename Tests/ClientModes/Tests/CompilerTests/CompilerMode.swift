/// A way in which a user's module may be compiled. The names are those that the files under `Misuse` use.
enum CompilerMode: String, CaseIterable, Sendable {
    case swift5 = "swift5"
    case swift5Complete = "swift5-complete"
    case swift6 = "swift6"
    case swift6MainActor = "swift6-main-actor"

    var arguments: [String] {
        switch self {
        case .swift5: ["-swift-version", "5"]
        case .swift5Complete: ["-swift-version", "5", "-strict-concurrency=complete"]
        case .swift6: ["-swift-version", "6"]
        case .swift6MainActor: ["-swift-version", "6", "-default-isolation", "MainActor"]
        }
    }
}

extension CompilerMode {
    /// The modes that a directive names.
    static func all(in text: String, _ key: String) throws -> [CompilerMode] {
        try Directive.values(key, in: text).map { name in
            guard let mode = CompilerMode(rawValue: name) else { throw UnknownMode(name: name) }
            return mode
        }
    }

    struct UnknownMode: Error {
        let name: String
    }
}
