import Foundation
import ResultPromises
import Testing

/// What users of ResultPromises 0.1.3 rely on, on the main queue, with assertions on the next line.
@MainActor
@Suite("ResultPromises 0.1.3: promises on the main queue", .timeLimit(.minutes(10)))
struct LegacyPromiseTests {
    @Test("KEEP: a handler attached on main is called inside resolve on main")
    func synchronous() {
        let promise = Promise<String>()
        var value: String?, error: Error?, results = 0
        promise.onSuccess(handler: { value = $0 })
            .onError(handler: { error = $0 })
            .onComplete { _ in results += 1 }
        #expect(value == nil)
        promise.resolve(result: "text")
        #expect(value == "text")
        #expect(error == nil)
        #expect(results == 1)
    }

    @Test("KEEP: an error reaches onError and onComplete alone, and onSpecificError of its type")
    func failure() {
        let promise = Promise<String>()
        var calls: [String] = []
        promise.onSuccess { _ in calls.append("success") }
            .onError { error in if case AppError.test = error { calls.append("error") } }
            .onComplete { result in if case .failure(let error) = result { calls.append("complete \(error)") } }
            .onSpecificError(errorType: AppError.self) { error in calls.append("specific \(error)") }
            .onSpecificError(errorType: NetworkError.self) { _ in calls.append("network") }
        promise.resolve(error: AppError.test)
        #expect(calls == ["error", "complete test", "specific test"])
    }

    @Test("KEEP: handlers of all kinds accumulate and run in the order in which they were attached")
    func order() {
        let promise = Promise<Int>()
        var calls: [String] = []
        promise.onComplete { _ in calls.append("1") }
        promise.onSuccess { _ in calls.append("2") }
        promise.onError { _ in calls.append("-") }
        let next = promise.then { value -> Int in
            calls.append("3")
            return value + 1
        }
        next.onSuccess { calls.append("4: \($0)") }
        promise.onComplete { _ in calls.append("5") }
        promise.onSuccess { _ in calls.append("6") }
        promise.resolve(state: .success(value: 1))
        #expect(calls == ["1", "2", "3", "4: 2", "5", "6"])
    }

    @Test("KEEP: what is attached after the end runs before the method returns")
    func late() {
        let promise = Promise<Int>(), failed = Promise<Int>()
        promise.resolve(result: 7)
        failed.resolve(error: AppError.test)
        var calls: [String] = []
        promise.onSuccess { calls.append("success \($0)") }.onComplete { _ in calls.append("complete") }
        promise.then { $0 * 2 }.onSuccess { calls.append("then \($0)") }
        failed.onError { calls.append("error \($0)") }
        #expect(calls == ["success 7", "complete", "then 14", "error test"])
    }

    @Test("A second resolve changes nothing")
    func twice() {
        let promise = Promise<Int>()
        var calls: [String] = []
        promise.onSuccess { calls.append("\($0)") }.onError { calls.append("\($0)") }
        promise.resolve(result: 1)
        promise.resolve(result: 2)
        promise.resolve(error: AppError.test)
        promise.onSuccess { calls.append("\($0)") }
        #expect(calls == ["1", "1"])
    }

    @Test("then takes a value, a thrown error, a Result or a Promise, and the compiler picks the right one")
    func then() {
        let promise = Promise<Int>(), inner = Promise<String>()
        var calls: [String] = []
        promise.then { "\($0)" }.onSuccess { calls.append("value " + $0) }
        promise.then { _ -> Int in throw AppError.test }.onError { calls.append("throw \($0)") }
        promise.then { Result<String>.success(value: "\($0)") }.onSuccess { calls.append("result " + $0) }
        promise.then { _ -> Result<String> in .failure(error: AppError.other) }.onError { calls.append("result \($0)") }
        promise.then { _ in inner }.onSuccess { calls.append("promise " + $0) }
        promise.then(mapper: { (value) -> Promise<String> in wrap("\(value)") })
            .onSuccess { calls.append("wrapped " + $0) }
        promise.resolve(result: 1)
        inner.resolve(result: "i")
        #expect(
            calls == ["value 1", "throw test", "result 1", "result other", "wrapped 1", "promise i"])
    }

    @Test("An error skips every mapper and ends the whole chain at once")
    func skipping() {
        let promise = Promise<Int>()
        var calls: [String] = []
        promise.then { value -> Int in
            calls.append("mapper")
            return value
        }
        .then { _ -> Promise<Int> in
            calls.append("mapper")
            return Promise()
        }
        .then { _ -> Result<Int> in
            calls.append("mapper")
            return .success(value: 1)
        }
        .onError { calls.append("\($0)") }
        promise.resolve(error: AppError.test)
        #expect(calls == ["test"])
    }

    @Test("Values may be anything: classes, Any, tuples, generic parameters")
    func anything() throws {
        let titles = try titlesOfAnything()
        #expect(titles == ["A", "0 photos", "the album", "ab", "void"])
    }

    @Test("Result: map, flatMap, resolve, and its patterns")
    func result() throws {
        let four = Result.success(value: "four")
        let failed = Result<String>.failure(error: AppError.test)
        #expect(try four.map { $0.count }.resolve() == 4)
        #expect(try four.map(mapper: { $0 + "!" }).flatMap { Result<Int>.success(value: $0.count) }.resolve() == 5)
        #expect(throws: AppError.other) { try four.map { _ -> Int in throw AppError.other }.resolve() }
        #expect(throws: AppError.test) { try failed.map { $0.count }.resolve() }
        #expect(throws: AppError.test) { try failed.flatMap { _ in four }.resolve() }
        switch failed {
        case .success(let value): Issue.record("\(value)")
        case .failure(let error): #expect(error as? AppError == .test)
        }
        if case .success(value: let value) = four { #expect(value == "four") } else { Issue.record("no value") }
        let swift: Swift.Result<Int, AppError> = .success(3)
        #expect(try Result(swift).resolve() == 3)
        #expect(throws: AppError.test) { try failed.swiftResult.get() }
        #expect(try Swift.Result(four).get() == "four")
    }
}
