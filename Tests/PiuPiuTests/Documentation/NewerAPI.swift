import Foundation

/// What needs a newer system than the manifest's platforms, as it is spelt in a source. The compiler doesn't look at that on
/// Linux.
///
/// Of the standard library these are the symbols whose `@available` says so, in the symbol graphs of Swift 6.3; overloads and
/// conformances that no spelling tells from older ones are not among them.
struct NewerAPI: Sendable {
    let spelling: String
    /// The version of macOS that brought it.
    let macOS: String

    static let all: [NewerAPI] = [
        // Tasks and executors.
        NewerAPI("Task.immediate", "26"),
        NewerAPI("Task.immediateDetached", "26"),
        NewerAPI("addImmediateTask", "26"),
        NewerAPI("addImmediateTaskUnlessCancelled", "26"),
        NewerAPI("Task.name", "26"),
        NewerAPI("escalatePriority", "26"),
        NewerAPI("withTaskPriorityEscalationHandler", "26"),
        NewerAPI("isIsolatingCurrentContext", "26"),
        NewerAPI("isMainExecutor", "26.4"),
        NewerAPI("isSameExclusiveExecutionContext", "26.4"),
        NewerAPI("asSerialExecutor", "26.4"),
        NewerAPI("asTaskExecutor", "26.4"),
        // The language.
        NewerAPI("isolated deinit", "15.4"),
        NewerAPI("<let", "26"),
        // Values.
        NewerAPI("InlineArray", "26"),
        NewerAPI("UTF8Span", "26"),
        NewerAPI(".span", "26"),
        NewerAPI(".mutableSpan", "26"),
        NewerAPI(".utf8Span", "26"),
        NewerAPI("String(copying", "26"),
        NewerAPI("UTF8.ValidationError", "26"),
        NewerAPI(".enumerated().count", "26"),
        NewerAPI(".enumerated().isEmpty", "26"),
        NewerAPI(".enumerated().endIndex", "26"),
        NewerAPI(".enumerated().index", "26"),
        NewerAPI(".enumerated().last", "26"),
        NewerAPI(".enumerated().suffix", "26"),
        NewerAPI(" .nanoseconds(", "26"),
        NewerAPI("(.nanoseconds(", "26"),
        NewerAPI("Duration.nanoseconds(", "26"),
        NewerAPI("error.debugDescription", "26.4"),
        NewerAPI("foreignReference", "26"),
        // Observation and Foundation.
        NewerAPI("Observations", "26"),
        NewerAPI("URL(template", "26"),
        NewerAPI("URL.Template", "26"),
        NewerAPI("ianaName", "26"),
        NewerAPI("NotificationCenter.MainActorMessage", "26"),
        NewerAPI("NotificationCenter.AsyncMessage", "26"),
        NewerAPI("ProgressManager", "26"),
        NewerAPI("usesClassicLoadingMode", "15.4"),
        NewerAPI("enablesEarlyData", "26"),
    ]

    init(_ spelling: String, _ macOS: String) {
        self.spelling = spelling
        self.macOS = macOS
    }

    /// Whether a line of code has it, and not a longer name that contains it. Comments don't count.
    func isIn(_ line: Substring) -> Bool {
        let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        return code.ranges(of: spelling).contains { range in
            let before = code[..<range.lowerBound].last, after = code[range.upperBound...].first
            return (spelling.first?.isPartOfName != true || before?.isPartOfName != true)
                && (spelling.last?.isPartOfName != true || after?.isPartOfName != true)
        }
    }

    /// Whether a use in the last of these lines is said to be of the system that has it, on each platform: there, or above it
    /// without an empty line between.
    func isGuarded(in lines: ArraySlice<Substring>) -> Bool {
        for line in lines.reversed() {
            if line.allSatisfy(\.isWhitespace) { return false }
            guard let said = line.firstRange(of: "available(macOS ") else { continue }
            let version = String(line[said.upperBound...].prefix { $0 != "," })
            return version.compare(macOS, options: .numeric) != .orderedAscending
                && ["iOS ", "tvOS ", "watchOS ", "visionOS "].allSatisfy(line.contains)
        }
        return false
    }
}

extension Character {
    fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}
