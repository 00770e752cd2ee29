import Foundation
import TestSupport
import Testing

@Suite("What needs a newer system than the manifest's platforms", .timeLimit(.minutes(10)))
struct AvailabilityTests {
    /// Why a file may use it.
    private enum Reason: Equatable {
        /// It asks for the system, or says itself which one it needs.
        case available
        case because(String)
    }

    private static let ofInteger = Reason.because("of an integer, which macOS 13 has; that of a `Double` is newer")

    /// Each file that uses it, and why it may.
    private static let uses: [String: [String: Reason]] = [
        "Task.immediate": [
            "Sources/PiuPiuFutures/Start/ResponseFuture+Start.swift": .available,
            "Tests/PiuPiuFuturesTests/HardCaseTests.swift": .available,
            "Tests/PiuPiuFuturesTests/Operators/AddedTransformTests.swift": .available,
            "Tests/PiuPiuFuturesTests/Rules/EscalateTests.swift": .available,
            "Tests/TestSupport/Holding.swift": .available,
            "Tests/TestSupport/SuspendedTask.swift": .available,
            "Tests/PiuPiuFuturesTests/Rules/SurvivedBreakTests.swift": .available,
            "Tests/PiuPiuFuturesTests/Stress/RandomProgramAwaiter.swift": .available,
            "Tests/TestSupport/TestValues.swift": .available,
        ],
        "escalatePriority": [
            "Sources/PiuPiuFutures/Run/FutureRun+Escalation.swift": .available,
            "Sources/PiuPiuFutures/Start/TaskReference.swift": .available,
            "Sources/PiuPiuFutures/Start/WorkTask.swift": .available,
        ],
        "withTaskPriorityEscalationHandler": [
            "Sources/PiuPiuFutures/Await/FutureRun+Waiting.swift": .available,
            "Sources/PiuPiuFutures/Sequences/FutureResultsObserver.swift": .available,
            "Tests/PiuPiuFuturesTests/Rules/EscalateTests.swift": .because("the type around it is `@available`"),
        ],
        " .nanoseconds(": [
            "Sources/PiuPiuEngines/Engine/HopMeter.swift": ofInteger,
            "Tests/PiuPiuFuturesTests/Operators/RetryTests.swift": ofInteger,
            "Tests/PiuPiuTests/Parsers/ParserFuzzTests.swift": ofInteger,
            "Tests/PiuPiuTests/Policies/Engines/CircuitTests.swift": ofInteger,
            "Tests/PiuPiuTests/Policies/RetryTimingTests.swift": ofInteger,
        ],
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// What is built for Apple platforms.
    private static func sources() throws -> [(name: String, content: Data)] {
        let packages = ["Tests/Benchmarks", "Tests/ClientModes", "Tests/Interoperability"]
        return try ["Sources", "Tests"].flatMap { folder in
            let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path(percentEncoded: false))
            var sources: [(name: String, content: Data)] = []
            while let name = names?.nextObject() as? String {
                let name = "\(folder)/\(name)"
                if packages.contains(name) { names?.skipDescendants() }
                // The table of spellings, and this, use nothing of it.
                let isTable = name.hasSuffix("/NewerAPI.swift") || name.hasSuffix("/AvailabilityTests.swift")
                guard name.hasSuffix(".swift"), !isTable else { continue }
                sources.append((name, try Data(contentsOf: root.appending(path: name))))
            }
            return sources
        }
    }

    @Test("Each use asks for the system that has it, or is listed with the reason why it need not")
    func uses() throws {
        let sources = try Self.sources()
        #expect(sources.count > 900)
        var found: [String: Set<String>] = [:]
        for (file, content) in sources {
            for api in NewerAPI.all where content.range(of: Data(api.spelling.utf8)) != nil {
                let lines = String(decoding: content, as: UTF8.self).split(
                    separator: "\n", omittingEmptySubsequences: false)
                for line in lines.indices where api.isIn(lines[line]) {
                    found[api.spelling, default: []].insert(file)
                    let reason = Self.uses[api.spelling]?[file], place = "\(api.spelling) in \(file):\(line + 1)"
                    #expect(reason != nil, "\(place) needs macOS \(api.macOS): list it, and ask for `#available`")
                    guard reason == .available else { continue }
                    let isGuarded = api.isGuarded(in: lines[...line])
                    #expect(isGuarded, "\(place) needs macOS \(api.macOS): ask for `#available` above it")
                }
            }
        }
        // What is listed and gone would hide the next use.
        #expect(found == Self.uses.mapValues { Set($0.keys) })
    }

    @Test("A use is guarded by a version that has it, on each platform, in the same paragraph")
    func guards() {
        let api = NewerAPI("Task.immediate", "26")
        func isGuarded(_ text: String) -> Bool {
            api.isGuarded(in: text.split(separator: "\n", omittingEmptySubsequences: false)[...])
        }
        let all = "iOS 26, tvOS 26, watchOS 26, visionOS 26, *)"
        #expect(isGuarded("if #available(macOS 26, \(all) {\n    Task.immediate {}"))
        #expect(isGuarded("@available(macOS 26.4, \(all)\nfunc run() { Task.immediate {} }"))
        #expect(!isGuarded("if #available(macOS 15.4, \(all) {\n    Task.immediate {}"))
        #expect(!isGuarded("if #available(macOS 26, iOS 26, *) {\n    Task.immediate {}"))
        #expect(!isGuarded("if #available(macOS 26, \(all) {}\n\nTask.immediate {}"))
        #expect(api.isIn("    Task.immediate {}"[...]) && !api.isIn("    Task.immediateDetached {}"[...]))
        #expect(!api.isIn("    // Task.immediate {}"[...]) && !api.isIn("    MyTask.immediate {}"[...]))
    }
}
