import Foundation
import PiuPiu
import PiuPiuTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The rules again, as plainly as possible, one event at a time.
private struct Model {
    /// A request that was sent, and has no answer yet.
    struct Sent {
        var key: Int?
        var generation: Int
        var failures: Int
    }

    /// How the next refreshes end.
    enum Refresh: CaseIterable {
        case accepted, rejected, failing
    }

    var key: Int? = 0
    var valid = 0
    var lastKey = 0
    var refresh = Refresh.accepted
    var time = 0
    var refreshes: [Int] = []
    var generation = 0
    var lastRemoval = 0
    var failures = 0
    var failedGeneration: Int?
    var exchanges = 0
    /// The keys that are about to expire.
    var expired: Set<Int> = []

    mutating func setKey(_ new: Int?) {
        if new == nil, key == nil { return }
        key = new
        generation += 1
        if new == nil { lastRemoval = generation }
    }

    mutating func newKey() -> Int {
        lastKey += 1
        return lastKey
    }

    private var mayRefresh: Bool { refreshes.filter { time - $0 < 30 }.count < 5 }

    /// Whether it brings a key.
    private mutating func didRefresh() -> Bool {
        refreshes.append(time)
        guard refresh != .failing else {
            failures += 1
            failedGeneration = generation
            return false
        }
        setKey(newKey())
        if refresh == .accepted { valid = lastKey }
        return true
    }

    /// Sends a request; `nil` if the refresh before it fails.
    mutating func send() -> Sent? {
        let begun = failures
        if let key, expired.contains(key), mayRefresh, !didRefresh() { return nil }
        exchanges += 1
        return Sent(key: key, generation: generation, failures: begun)
    }

    /// The answer to the request, in a word.
    mutating func answer(_ sent: Sent) -> String {
        if sent.key == valid { return "200" }
        guard key != nil else { return "401" }
        if sent.generation == generation {
            if failedGeneration == generation, failures > sent.failures { return "Mishap(number: 0)" }
            guard mayRefresh else { return "tooManyRefreshes" }
            guard didRefresh() else { return "Mishap(number: 0)" }
        } else if sent.generation < lastRemoval {
            return "401"
        }
        exchanges += 1
        return key == valid ? "200" : "401"
    }
}

@Suite("Authenticating against a model", .timeLimit(.minutes(10)))
struct AuthenticatingModelTests {
    /// State shared with the refresh, which runs elsewhere.
    private final class World: Sendable {
        let model = Locked(Model())
        let gates = Locked<[String: Gate]>([:])
    }

    private let clock = ManualClock()
    private let world = World()

    /// A session whose refresh does what the model has decided before.
    private func makeSession() throws -> Authenticator<Int> {
        var session = try keys(0, clock: clock) { [world] _ in
            let (refresh, key) = world.model.withLock { ($0.refresh, $0.lastKey) }
            if refresh == .failing { throw Mishap() }
            return key
        }
        session.expiry = { [world] key in
            world.model.withLock { $0.expired.contains(key) } ? .distantPast : .distantFuture
        }
        return session
    }

    @Test(
        "A1 to A9: random events, one at a time, match a plain model of the rules",
        arguments: [UInt64.random(in: 0...(.max)), UInt64.random(in: 0...(.max))])
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed), waiting: [(Model.Sent, Gate, Task<String, Never>)] = []
        let server = KeyServer(accepting: 0) { [world] request in
            await world.gates.withLock { $0[request.url?.path() ?? ""] }?.pass()
        }
        let session = try makeSession(), dispatcher = server.authenticated(by: session)
        for number in 0..<1500 {
            let text: Comment = "seed \(seed), event \(number)"
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3: try await send(dispatcher, server, text)
            case 4, 5:
                if let late = try await sendLate(dispatcher, server, number, text) { waiting.append(late) }
            case 6, 7:
                guard let place = waiting.indices.randomElement(using: &random) else { continue }
                let (sent, gate, task) = waiting.remove(at: place)
                let expected = answer(to: sent, server)
                gate.open()
                #expect(await task.value == expected, text)
            case 8:
                world.model.withLock { $0.valid = -1 }
                server.accept(-1)
            case 9:
                let refresh = Model.Refresh.allCases.randomElement(using: &random) ?? .accepted
                world.model.withLock { $0.refresh = refresh }
            case 10:
                let isAccepted = Bool.random(using: &random), isOut = Int.random(in: 0..<3, using: &random) == 0
                sign(isOut: isOut, isAccepted: isAccepted, session, server)
            default: passTime(Int.random(in: 0..<20, using: &random), isExpired: Bool.random(using: &random))
            }
            let (exchanges, key) = world.model.withLock { ($0.exchanges, $0.key) }
            try #require(server.sent.count == exchanges, text)
            try #require(session.credential == key, text)
        }
        for (_, gate, task) in waiting {
            gate.open()
            _ = await task.value
        }
    }

    /// Asks the model for the answer, and makes the server accept the same key.
    private func answer(to sent: Model.Sent, _ server: KeyServer) -> String {
        // The first answer uses the key that was valid before the refresh.
        let (answer, valid) = world.model.withLock { ($0.answer(sent), $0.valid) }
        server.accept(valid)
        return answer
    }

    private func send(_ dispatcher: some DataDispatcher, _ server: KeyServer, _ text: Comment) async throws {
        let sent = world.model.withLock { $0.send() }
        let expected = sent.map { answer(to: $0, server) } ?? "Mishap(number: 0)"
        #expect(await dispatcher.dataFuture(from: try request("GET")).statusOrName == expected, text)
    }

    /// Sends a request whose answer comes later.
    private func sendLate(
        _ dispatcher: some DataDispatcher, _ server: KeyServer, _ number: Int, _ text: Comment
    ) async throws -> (Model.Sent, Gate, Task<String, Never>)? {
        let gate = Gate(), sent = world.model.withLock { $0.send() }
        server.accept(world.model.withLock { $0.valid })
        world.gates.withLock { $0["/\(number)"] = gate }
        let future = dispatcher.dataFuture(from: try request("GET", "https://example.com/\(number)"))
        guard let sent else {
            #expect(await future.statusOrName == "Mishap(number: 0)", text)
            return nil
        }
        let task = Task { await future.statusOrName }
        await gate.reached()
        return (sent, gate, task)
    }

    private func sign(isOut: Bool, isAccepted: Bool, _ session: Authenticator<Int>, _ server: KeyServer) {
        let (key, valid) = world.model.withLock { model in
            model.setKey(isOut ? nil : model.newKey())
            model.refreshes = []
            if isAccepted, let key = model.key { model.valid = key }
            return (model.key, model.valid)
        }
        server.accept(valid)
        if let key { session.setCredential(key) } else { session.removeCredential() }
    }

    private func passTime(_ seconds: Int, isExpired: Bool) {
        world.model.withLock { model in
            model.time += seconds
            if isExpired, let key = model.key { model.expired.insert(key) }
        }
        clock.advance(by: .seconds(seconds))
    }
}
