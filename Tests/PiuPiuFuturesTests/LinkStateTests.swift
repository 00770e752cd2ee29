import PiuPiu
import Testing

@Suite("The state of a link, without concurrency", .timeLimit(.minutes(10)))
struct LinkStateTests {
    private static let steps: [(name: String, take: @Sendable (LinkState) -> LinkState?)] = [
        ("observe", { $0.observing }), ("claim", { $0.claiming }), ("claim in place", { $0.claimingInPlace }),
        ("remember", { $0.remembering }),
    ]

    @Test("ONCE, MEMO, SAME: every sequence of up to six steps from every reachable state")
    func everySequence() {
        var claims = 0
        func explore(_ state: LinkState, claimed: Int, path: [String]) {
            #expect(claimed <= 1, "ONCE after \(path)")
            #expect((state == .cold || state == .observed) == (claimed == 0), "\(path)")
            claims = max(claims, claimed)
            guard path.count < 6 else { return }
            for (name, take) in Self.steps {
                guard let next = take(state) else { continue }
                let isClaim = name == "claim" || name == "claim in place"
                if state == .remembered { #expect(next == .remembered, "MEMO after \(path)") }
                if state.hasRun { #expect(next.hasRun, "a run stays: \(path)") }
                if state == .inPlace { Issue.record("SAME: a link in place can't be reached: \(path), \(name)") }
                explore(next, claimed: claimed + (isClaim ? 1 : 0), path: path + [name])
            }
        }
        explore(.cold, claimed: 0, path: [])
        #expect(claims == 1)
    }

    @Test("Only an unobserved link is claimed in place, and only an observed one for its run")
    func claims() {
        #expect(LinkState.allCases.filter { $0.claimingInPlace != nil } == [.cold])
        #expect(LinkState.allCases.filter { $0.claiming != nil } == [.observed])
        #expect(LinkState.allCases.filter { $0.remembering != nil } == [.claimed])
        #expect(LinkState.allCases.filter { $0.observing == nil } == [.inPlace])
    }
}
