import Dispatch
import PiuPiu
import TestSupport

/// Makes the futures of a random program. Each of their closures captures a token.
///
/// A value type, so that a closure that makes futures later captures only those that existed before its own.
struct RandomProgramFutures: Sendable {
    /// The futures that the program holds.
    private(set) var kept: [Int: ResponseFuture<Int>] = [:]
    /// The futures that it has weak references to.
    let registry = RandomProgramRegistry()
    let token: Population.Member
    private let program: RandomProgram
    private let probe: RandomProgramProbe

    private static let queue = DispatchQueue(label: "transforms of random programs")

    init(_ program: RandomProgram, _ probe: RandomProgramProbe, token: Population.Member) {
        self.program = program
        self.probe = probe
        self.token = token
        for (place, node) in program.nodes.enumerated() where node.holding == .kept { kept[place] = make(place) }
    }

    /// The future that the program holds, or else a new one that only the caller owns.
    func future(_ place: Int) -> ResponseFuture<Int> {
        if let future = kept[place] { return future }
        guard program.nodes[place].holding == .weakly else { return make(place) }
        let future = make(place)
        registry.add(future, as: place)
        return future
    }

    /// The future that the program holds, or reaches through its weak reference, for a step.
    func handle(_ place: Int) -> ResponseFuture<Int>? {
        kept[place] ?? registry.future(place)
    }

    /// All futures that the program can reach.
    var reachable: [Int: ResponseFuture<Int>] {
        var futures: [Int: ResponseFuture<Int>] = [:]
        for place in program.nodes.indices { futures[place] = handle(place) }
        return futures
    }

    private func make(_ place: Int) -> ResponseFuture<Int> {
        switch program.nodes[place].work {
        case .result(let value): ResponseFuture(result: value)
        case .failure(let number): ResponseFuture(error: Mishap(number: number))
        case .synchronous(let ending):
            ResponseFuture { () throws -> Int in
                countRun(of: place)
                return try ending.get()
            }
        case .gated(let ending, let heedsCancellation):
            ResponseFuture {
                countRun(of: place)
                let gate = probe.gate(of: place)
                heedsCancellation ? try await gate.passUnlessCancelled() : await gate.pass()
                return try ending.get()
            }
        case .action(let action): ResponseFuture { promise in try perform(action, of: place, promise) }
        case .transform(let kind, let input, let transform):
            transformed(future(input), by: kind) { value in
                countRun(of: place)
                return try transform(value)
            }
        case .inner(let kind, let input, let inner):
            joined(future(input), by: kind) { () -> ResponseFuture<Int>? in
                countRun(of: place)
                return inner.map(future)
            }
        case .group(let kind, let inputs, let limit):
            group(kind, inputs, limit).then { value in
                countRun(of: place)
                return value
            }
        }
    }

    private func countRun(of place: Int) { probe.countRun(of: place) }

    private func perform(
        _ action: RandomProgram.Action, of place: Int, _ promise: ResponseFuture<Int>
    ) throws {
        countRun(of: place)
        switch action {
        case .settles(let endings): promise.settle(endings, for: place)
        case .settlesLater(let endings): probe.promise(of: place).keep(promise, for: endings)
        case .settlesAndThrows(let endings, let number):
            promise.settle(endings, for: place)
            throw Mishap(number: number)
        case .drops: break
        case .hurries(let count, let ending, let isElsewhere):
            let work = { @Sendable in
                promise.hurry(count, for: place)
                promise.settle(ending)
            }
            isElsewhere ? DispatchQueue.global().async(execute: work) : work()
        case .isFulfilled(let sources):
            for source in sources { future(source).fulfill(promise) }
        }
    }

    private func transformed(
        _ input: consuming ResponseFuture<Int>, by kind: RandomProgram.TransformOperator,
        _ transform: @escaping @Sendable (Int) throws -> Int
    ) -> ResponseFuture<Int> {
        switch kind {
        case .then: input.then(transform)
        case .map: input.map(successCallback: transform)
        case .thenOnQueue: input.then(on: Self.queue, transform)
        case .thenOnMain: input.then(on: .main) { try transform($0) }
        case .thenResult: input.thenResult { try transform(Self.recover($0)) }
        case .safeResult: input.safeResult().then { try transform(Self.recover($0)) }
        }
    }

    /// The counterpart of the model's ``RandomProgramOutcome/recovered``.
    private static func recover(_ result: Result<Int, any Error>) throws -> Int {
        let outcome =
            switch result {
            case .success(let value): RandomProgramOutcome.value(value)
            case .failure(let error): RandomProgramOutcome(error)
            }
        guard let value = outcome.recovered else { return try result.get() }
        return value
    }

    private func joined(
        _ input: consuming ResponseFuture<Int>, by kind: RandomProgram.InnerOperator,
        _ inner: @escaping @Sendable () -> ResponseFuture<Int>?
    ) -> ResponseFuture<Int> {
        switch kind {
        case .flatMap: input.flatMap { _ in inner() }
        case .flatJoin: input.flatJoin { _ in inner() }.then { RandomProgram.fold([$0, $1]) }
        case .flatNullableJoin:
            input.flatNullableJoin { _ in inner() }.then { RandomProgram.fold([$0] + ($1.map { [$0] } ?? [])) }
        case .replace: input.replace { _ in inner() }
        case .seriesJoin: input.seriesJoin { _ in inner() }.then { RandomProgram.fold([$0, $1]) }
        }
    }

    private func group(_ kind: RandomProgram.GroupOperator, _ inputs: [Int], _ limit: Int?) -> ResponseFuture<Int> {
        switch kind {
        case .join: future(inputs[0]).join(future(inputs[1])).then { RandomProgram.fold([$0, $1]) }
        case .zip:
            ResponseFuture<(Int, Int, Int)>.zip(future(inputs[0]), future(inputs[1]), future(inputs[2]))
                .then { RandomProgram.fold([$0, $1, $2]) }
        case .parallelNullableJoin:
            future(inputs[0]).parallelNullableJoin { inputs.count > 1 ? future(inputs[1]) : nil }
                .then { RandomProgram.fold([$0] + ($1.map { [$0] } ?? [])) }
        case .childFutures:
            ResponseFuture<[Int]>(childFutures: inputs.map(future), limit: limit).then { RandomProgram.fold($0) }
        case .race: ResponseFuture.race(inputs.map(future))
        case .valuesInOrder:
            ResponseFuture {
                var values: [Int] = []
                for try await value in inputs.map(future).valuesInOrder(limit: limit) { values.append(value) }
                return RandomProgram.fold(values)
            }
        case .firstResult:
            ResponseFuture {
                for await result in inputs.map(future).resultsInCompletionOrder(limit: limit) {
                    return try result.get()
                }
                throw CancellationError()
            }
        case .firstSuccess: ResponseFuture.firstSuccess(of: inputs.map(future), limit: limit)
        }
    }
}
