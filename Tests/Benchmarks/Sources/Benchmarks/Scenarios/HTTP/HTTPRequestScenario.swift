import Foundation

/// Small requests, one after the other or many at a time.
struct HTTPRequestScenario: Scenario {
    enum Work: Sendable {
        case smallResponse
        case decodedPosts
        case postedJSON
    }

    let name: String
    let work: Work
    let inFlight: Int
    /// Requests in a sample.
    let count: Int
    /// What a contender wants to reach, by its name.
    let targets: [String: [Target]]

    func table(with settings: Settings) async throws -> Table {
        let count = settings.isQuick ? max(3, inFlight) : count
        let measurements = try await HTTPStage.run { stage in
            let request = try await request(on: stage)
            for contender in stage.contenders { _ = try await usage(of: contender, request, count: count) }
            let samples = try await Turns.samples(of: stage.contenders, rounds: settings.rounds()) { contender in
                try await usage(of: contender, request, count: count) / count
            }
            return zip(stage.contenders, samples).map {
                Measurement(contender: $0.name, role: $0.role, samples: $1)
            }
        }
        return RateTable(
            title: "\(name): \(title)", unit: "requests", amount: 1, item: "request",
            processorTime: { String(format: "%.0f µs", $0 * 1e6) }, targets: targets
        ).table(of: measurements, isQuick: settings.isQuick)
    }

    private var title: String {
        let subject =
            switch work {
            case .smallResponse: "GET of a small JSON document"
            case .decodedPosts: "GET of 100 posts, decoded from JSON"
            case .postedJSON: "POST of a small JSON document"
            }
        return "\(subject), " + (inFlight == 1 ? "one after the other" : "\(inFlight) in flight")
    }

    // MARK: One request

    /// Makes a request and gives 1 if the response is right.
    private typealias Request = @Sendable (any HTTPContender) async throws -> Int

    private func request(on stage: HTTPStage) async throws -> Request {
        switch work {
        case .smallResponse:
            let url = stage.baseURL.appending(path: "posts/1")
            // All get the same bytes, and these are the first post.
            let expected = try await stage.contenders[0].get(url).body
            guard try JSONDecoder().decode(Post.self, from: expected).id == 1 else { throw NoHTTPResponse() }
            return { contender in
                let (status, body) = try await contender.get(url)
                return status == 200 && body == expected ? 1 : 0
            }
        case .decodedPosts:
            let url = stage.baseURL.appending(path: "posts")
            return { contender in
                let (status, posts) = try await contender.posts(url)
                return status == 200 && posts.map(\.id) == Array(1...100) ? 1 : 0
            }
        case .postedJSON:
            let url = stage.baseURL.appending(path: "echo/body")
            let document = Data(HTTPStage.document.utf8)
            return { contender in
                let (status, body) = try await contender.post(document, to: url)
                return status == 200 && body == document ? 1 : 0
            }
        }
    }

    // MARK: A sample

    private func usage(of contender: any HTTPContender, _ request: @escaping Request, count: Int) async throws -> Usage
    {
        let meter = Usage.Meter()
        let sum = try await sum(of: contender, request, count: count)
        let usage = meter.usage
        guard sum == count else {
            throw WrongResult(scenario: name, contender: contender.name, expected: count, result: sum)
        }
        return usage
    }

    private func sum(of contender: any HTTPContender, _ request: @escaping Request, count: Int) async throws -> Int {
        guard inFlight > 1 else { return try await Self.sum(of: contender, request, count: count) }
        // Results, as an error thrown out of the group would cancel the others, which bare `URLSession` can't stand.
        let results = await withTaskGroup(of: Result<Int, any Error>.self) { group in
            for index in 0..<inFlight {
                let share = count / inFlight + (index < count % inFlight ? 1 : 0)
                group.addTask {
                    do { return .success(try await Self.sum(of: contender, request, count: share)) } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return try results.reduce(0) { try $0 + $1.get() }
    }

    private static func sum(of contender: any HTTPContender, _ request: Request, count: Int) async throws -> Int {
        var sum = 0
        for _ in 0..<count { sum += try await request(contender) }
        return sum
    }
}
