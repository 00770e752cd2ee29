/// Something to compare, which ends in a table.
protocol Scenario: Sendable {
    /// What a filter on the command line is compared with.
    var name: String { get }

    @concurrent
    func table(with settings: Settings) async throws -> Table
}

/// How much is measured.
struct Settings: Equatable, Sendable {
    static let standard = Settings(samples: 15, isQuick: false)
    static let sampleMilliseconds = 30

    var samples: Int
    var isQuick: Bool

    /// The rounds of a scenario that takes `cost` times as long as others.
    func rounds(cost: Int = 1) -> Int {
        isQuick ? 1 : max(1, samples / cost)
    }
}

/// A contender returned a wrong result.
struct WrongResult: Error, CustomStringConvertible {
    let scenario: String
    let contender: String
    let expected: String
    let result: String

    init<Value>(scenario: String, contender: String, expected: Value, result: Value) {
        self.scenario = scenario
        self.contender = contender
        self.expected = "\(expected)"
        self.result = "\(result)"
    }

    var description: String {
        "\(scenario), \(contender): the result is \(result), and not \(expected)."
    }
}

/// A contender takes no time at all: the compiler has computed the result.
struct NothingToMeasure: Error, CustomStringConvertible {
    let scenario: String
    let contender: String

    var description: String {
        "\(scenario), \(contender): nothing is left to measure after the compiler's optimisation."
    }
}
