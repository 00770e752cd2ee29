/// All scenarios, in the order in which they are printed.
enum Scenarios {
    static let all: [any Scenario] =
        [CreateScenario.scenario]
        + [3, 10, 100].map(ChainScenario.scenario)
        + [HeldChainScenario.scenario, AsynchronousChainScenario.scenario]
        + MainActorChainScenario.scenarios
        + [CapturingScenario.scenario, FlatChainScenario.scenario, SuspendingScenario.scenario]
        + [ImmediateJoinScenario.scenario, SuspendedJoinScenario.scenario, TaskGroupScenario.scenario]
        + SequenceScenario.scenarios
        + TwoAwaitersScenario.scenarios
        + [StoredScenario.scenario]
        + CallbackScenario.scenarios
        + HandOffScenario.scenarios
        + [SettledReadScenario.scenario]
        + ManyObserversScenario.scenarios
        + [MemoryScenario(), LiveMemoryScenario(), DepthScenario()]
        + [DecodeScenario.scenario]
        + CacheScenarios.all
        + HTTPScenarios.all

    static let names = all.map(\.name)

    static func matching(_ filters: [String]) -> [any Scenario] {
        if filters.isEmpty { return all }
        return all.filter { scenario in filters.contains { scenario.name.contains($0) } }
    }

    static func names(perLine count: Int) -> [String] {
        stride(from: 0, to: names.count, by: count).map { start in
            names[start..<min(start + count, names.count)].joined(separator: ", ")
        }
    }
}
