import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Every symbol of PiuPiu 1.x for path patterns and progress, used as legacy code uses it.
@Suite("Legacy vocabulary: path patterns and progress", .timeLimit(.minutes(10)))
struct LegacyPathVocabularyTests {
    @Test("The pattern types and their texts")
    func types() {
        let pattern: [PathComponent] = [.constant("a"), .wildcard(type: .integer), .wildcard(type: .string)]
        let types: [WildcardType] = [.integer, .string]
        let values: [PathValue] = [.string("a"), .integer(1), .string("b")]
        #expect(pattern.map { $0.description } == ["a", ":integer", ":string"])
        #expect(types.map { $0.description } == [":integer", ":string"])
        #expect(values.map { $0.description } == ["a", "1", "b"])
        #expect(pattern.displayValue == "a/:integer/:string")
        #expect(pattern.string == "a/:integer/:string")
        #expect(values.displayValue == "a/1/b")
        #expect(values.string == "a/1/b")
        #expect("\(pattern.dropFirst().displayValue)" == ":integer/:string")
        #expect(PathComponent("a") == .constant("a"))
        #expect("a" == PathComponent.constant("a"))
        switch pattern[1] {
        case .constant(let text): Issue.record("a constant: \(text)")
        case .wildcard(let type): #expect(type == .integer)
        }
        #expect(values[1].integerValue == 1)
        #expect(values[0].stringValue == "a")
    }

    @Test("The functions of URL and URLRequest")
    func functions() throws {
        let pattern: [PathComponent] = [.constant("users"), .wildcard(type: .integer), .wildcard(type: .string)]
        let url = try url("https://example.com/users/7/name")
        let request = URLRequest(url: url)
        let values: [PathValue] = [.string("users"), .integer(7), .string("name")]
        #expect(url.pathValues(matching: pattern) == values)
        #expect(request.pathValues(matching: pattern) == values)
        #expect(url.pathMatches(pattern: pattern))
        #expect(request.pathMatches(pattern: pattern))
        #expect(url.integerValue(atIndex: 1, matching: pattern) == 7)
        #expect(request.integerValue(atIndex: 1, matching: pattern) == 7)
        #expect(url.stringValue(atIndex: 2, matching: pattern) == "name")
        #expect(request.stringValue(atIndex: 2, matching: pattern) == "name")
    }

    @Test("The progress of tasks")
    func progress() throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task: URLSessionTask = session.dataTask(with: try url("http://127.0.0.1:1/"))
        #expect(task.percentSent == nil)
        #expect(task.percentRecieved == nil)
        #expect(task.percentTransferred == nil)
        let tasks = [task]
        #expect(tasks.averagePercentSent == nil)
        #expect(tasks.averagePercentRecieved == nil)
        #expect(tasks.averagePercentTransferred == nil)
        #expect(tasks.completed.isEmpty)
        #expect(tasks.cancelling.isEmpty)
        #expect(tasks.running.isEmpty)
        #expect(tasks.suspended.count == 1)
    }
}
