#if os(Linux)
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import PiuPiu
    import TestSupport
    import Testing

    /// The limit of a process is often 256 or 1,024 descriptors, and each connection takes one.
    @Suite("The engine over libcurl: few descriptors", .timeLimit(.oneProcessAtATime))
    struct FewDescriptorsTests {
        @Test(
            "NEVER-HANG: 10,000 requests at once are all answered in a process of 256 descriptors", .oneProcessAtATime,
            arguments: [(count: 10_000, connectionsPerHost: 6), (count: 3_000, connectionsPerHost: 1_000)])
        func atOnce(count: Int, connectionsPerHost: Int) async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, count, connectionsPerHost, log = log as ProcessLog]
                in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = connectionsPerHost
                let dispatcher = URLRequestDispatcher(configuration: configuration)
                let request = try ClientProcess.request("/text", of: address)
                let futures = (0..<count).map { _ in dispatcher.dataFuture(from: request) }
                try await Self.requireAnswers(of: futures, "\(connectionsPerHost) connections", log)
            }
            try print(log.text())
        }

        @Test(
            "NEVER-HANG: 3,000 uploads from files at once are all answered in a process of 256 descriptors",
            .oneProcessAtATime)
        func filesAtOnce() async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let folder = try TemporaryFolder(), file = folder.file("body"), log = try ProcessLog()
            try Data(count: 1_000).write(to: file)
            await #expect(processExitsWith: .success) {
                [
                    address = server.baseURL.absoluteString as String, path = file.path as String,
                    log = log as ProcessLog
                ] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = 1_000
                let dispatcher = URLRequestDispatcher(configuration: configuration)
                var request = try ClientProcess.request("/echo/body", of: address)
                request.httpMethod = "PUT"
                let futures = (0..<3_000).map { [request] _ in
                    dispatcher.uploadFuture(from: request, withFile: URL(filePath: path))
                }
                try await Self.requireAnswers(of: futures, "Files", log)
            }
            try print(log.text())
        }

        /// Starts all at once; none may fail.
        private static func requireAnswers<Value>(
            of futures: [ResponseFuture<Response<Value>>], _ name: String, _ log: ProcessLog
        ) async throws {
            for future in futures { future.send() }
            var answered = 0, failures: [String: Int] = [:]
            for future in futures {
                do {
                    _ = try await future.value
                    answered += 1
                } catch {
                    failures["\(error)", default: 0] += 1
                }
            }
            try log("\(name): \(answered) answered, \(failures)")
            try #require(answered == futures.count)
        }

        @Test(
            "NEVER-HANG, FILES: 1,500 downloads at once all arrive in a process of 256 descriptors", .oneProcessAtATime,
            arguments: [6, 1_000])
        func downloads(connectionsPerHost: Int) async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let log = try ProcessLog(), folder = try TemporaryFolder()
            await #expect(processExitsWith: .success) {
                [
                    address = server.baseURL.absoluteString as String, connectionsPerHost, log = log as ProcessLog,
                    path = folder.url.path as String
                ] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = connectionsPerHost
                let dispatcher = URLRequestDispatcher(configuration: configuration)
                let request = try ClientProcess.request("/text", of: address)
                let futures = (0..<1_500).map { number in
                    dispatcher.downloadFuture(from: request, to: URL(filePath: "\(path)/\(number)"))
                }
                for future in futures { future.send() }
                var failures: [String: Int] = [:]
                for future in futures {
                    do { _ = try await future.value } catch { failures["\(error)", default: 0] += 1 }
                }
                try log("\(connectionsPerHost) connections: \(failures)")
                try #require(failures.isEmpty)
            }
            try print(log.text())
        }

        @Test("Idle connections to many hosts leave a descriptor for the next one", .oneProcessAtATime)
        func manyHosts() async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            await #expect(processExitsWith: .success) { [port = server.port as Int] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 200)
                let others = (0..<60).map { _ in dup(2) }
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                // Each name is a host with a connection of its own; libcurl itself knows their address.
                for number in 0..<150 {
                    let request = try ClientProcess.request("/text", of: "http://host\(number).localhost:\(port)")
                    #expect(try await dispatcher.dataFuture(from: request).value.head.status == 200)
                }
                for other in others { close(other) }
            }
        }

        @Test("A request without a descriptor is sent when there is one, whatever else goes on", .oneProcessAtATime)
        func closedByOthers() async throws {
            let server = try LoopbackServer.start(), other = try LoopbackServer.start()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, other = other.baseURL.absoluteString as String] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let engine = try #require(CurlEngine(configuration: .ephemeral)), driver = TransferDriver(engine)
                let endless = TransferRequest(try ClientProcess.request("/fault/stall-mid-body", of: address))
                // Returns when the body of the answer has begun.
                func begin() async -> any TransferHandle {
                    let events = Log<TransferEvent>(), handle = driver.start(endless) { events.append($0) }
                    _ = await events.first { if case .body = $0 { true } else { false } }
                    return handle
                }
                let first = await begin()
                // Leaves an open connection for the second endless answer.
                _ = try await engine.load(try url(address + "/text"))
                let files = try Self.takeDescriptors()
                let request = try ClientProcess.request("/text", of: other)
                let late = Log<TransferEvent>()
                _ = driver.start(TransferRequest(request)) { late.append($0) }
                // By then, the one before has found no descriptor.
                let second = await begin()
                for file in files { close(file) }
                let end = await late.untilTheEnd().last
                let isFinished = if case .finished = end { true } else { false }
                try #require(isFinished, "\(late.all)")
                for handle in [first, second] { handle.cancel() }
            }
        }

        @Test("All requests without a descriptor are sent once there is one for each", .oneProcessAtATime)
        func manyClosedByOthers() async throws {
            let server = try LoopbackServer.start(), other = try LoopbackServer.start()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, other = other.baseURL.absoluteString as String] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = 1_000
                let engine = try #require(CurlEngine(configuration: configuration)), driver = TransferDriver(engine)
                // None ends, and so passes its place on.
                func begin(at address: String) throws -> (events: Log<TransferEvent>, handle: any TransferHandle) {
                    let request = try ClientProcess.request("/fault/stall-mid-body", of: address)
                    let events = Log<TransferEvent>()
                    return (events, driver.start(TransferRequest(request)) { events.append($0) })
                }
                func hasBegun(_ events: Log<TransferEvent>) async -> Bool {
                    _ = await events.first { if case .body = $0 { true } else { $0.isTerminal } }
                    return !events.all.contains { $0.isTerminal }
                }
                let first = try begin(at: address)
                try #require(await hasBegun(first.events))
                // Leaves an open connection for the second answer.
                _ = try await engine.load(try url(address + "/text"))
                let files = try Self.takeDescriptors()
                let late = try (0..<120).map { _ in try begin(at: other) }
                // By then, those before have found no descriptor.
                let second = try begin(at: address)
                try #require(await hasBegun(second.events))
                for file in files { close(file) }
                for one in late { try #require(await hasBegun(one.events), "\(one.events.all)") }
                for one in [first, second] + late { one.handle.cancel() }
            }
        }

        @Test("A limit that is raised after the first request is that of later connections", .oneProcessAtATime)
        func raisedLimit() async throws {
            let server = try LoopbackServer.start()
            await #expect(processExitsWith: .success) { [address = server.baseURL.absoluteString as String] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 128)
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = 1_000
                let engine = try #require(CurlEngine(configuration: configuration))
                _ = try await engine.load(try url(address + "/text"))
                try ClientProcess.limitDescriptors(to: 512)
                let request = try ClientProcess.request("/fault/stall-mid-body", of: address)
                let driver = TransferDriver(engine)
                // None ends, and so passes its place on.
                let all = (0..<200).map { _ in
                    let events = Log<TransferEvent>()
                    return (events: events, handle: driver.start(TransferRequest(request)) { events.append($0) })
                }
                for one in all {
                    _ = await one.events.first { if case .body = $0 { true } else { $0.isTerminal } }
                    try #require(!one.events.all.contains { $0.isTerminal }, "\(one.events.all)")
                }
                for one in all { one.handle.cancel() }
            }
        }

        /// Takes all descriptors that an engine may have in a process of 256: all but the last 32.
        private static func takeDescriptors() throws -> [Int32] {
            var files = [dup(2)]
            while let last = files.last, (0..<224).contains(last) { files.append(dup(2)) }
            try #require(files.last ?? 0 >= 224)
            return files
        }

        @Test("Connections leave descriptors to others where only low ones are free", .oneProcessAtATime)
        func lowDescriptors() async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, log = log as ProcessLog] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                try Self.takeHighDescriptors()
                let watch = Watch(), configuration = URLSessionConfiguration.ephemeral
                configuration.httpMaximumConnectionsPerHost = 1_000
                let dispatcher = URLRequestDispatcher(configuration: configuration)
                let request = try ClientProcess.request("/text", of: address)
                let futures = (0..<1_000).map { _ in dispatcher.dataFuture(from: request) }
                try await Self.requireAnswers(of: futures, "Low descriptors", log)
                try #require(watch.end() == 0)
            }
            try print(log.text())
        }

        /// Leaves the 80 lowest descriptors free that were, and no other one in a process of 256.
        private static func takeHighDescriptors() throws {
            var files: [Int32] = []
            while case let file = dup(2), file >= 0 { files.append(file) }
            try #require(files.count > 80)
            for file in files.prefix(80) { close(file) }
        }

        @Test(
            "Look-ups of many hosts leave descriptors to others, and hold up no known address", .oneProcessAtATime,
            arguments: [false, true])
        func manyLookUps(onlyLowOnesAreFree: Bool) async throws {
            let server = try LoopbackServer.start(limits: LoopbackLimits(recordedRequests: 0))
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) {
                [address = server.baseURL.absoluteString as String, log = log as ProcessLog, onlyLowOnesAreFree] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                if onlyLowOnesAreFree { try Self.takeHighDescriptors() }
                let watch = Watch()
                let dispatcher = URLRequestDispatcher(configuration: .ephemeral)
                let futures = try (0..<400).map { number in
                    var request = try ClientProcess.request("/", of: "http://h\(number).invalid")
                    // Not every name server answers.
                    request.timeoutInterval = 10
                    return dispatcher.dataFuture(from: request)
                }
                for future in futures { future.send() }
                let known = try ClientProcess.request("/text", of: address)
                try #require(try await dispatcher.dataFuture(from: known).value.head.status == 200)
                try #require(try await Self.endings(of: futures, watch, log).count == 400)
            }
            try print(log.text())
        }

        @Test("So do look-ups of many engines at once", .oneProcessAtATime)
        func manyLookUpsOfManyEngines() async throws {
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) { [log = log as ProcessLog] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let watch = Watch()
                let dispatchers = (0..<8).map { _ in URLRequestDispatcher(configuration: .ephemeral) }
                let futures = try (0..<320).map { number in
                    var request = try ClientProcess.request("/", of: "http://h\(number).invalid")
                    // Not every name server answers.
                    request.timeoutInterval = 10
                    return dispatchers[number % dispatchers.count].dataFuture(from: request)
                }
                for future in futures { future.send() }
                try #require(try await Self.endings(of: futures, watch, log).count == 320)
            }
            try print(log.text())
        }

        @Test("So do look-ups of the proxy of requests to many addresses", .oneProcessAtATime)
        func manyLookUpsOfProxy() async throws {
            let log = try ProcessLog()
            await #expect(processExitsWith: .success) { [log = log as ProcessLog] in
                try InheritedSockets.close()
                try ClientProcess.limitDescriptors(to: 256)
                let watch = Watch(), configuration = URLSessionConfiguration.ephemeral
                configuration.connectionProxyDictionary = [
                    "HTTPEnable": 1, "HTTPProxy": "proxy.invalid", "HTTPPort": 81,
                ]
                let dispatcher = URLRequestDispatcher(configuration: configuration)
                let futures = try (0..<400).map { number in
                    var request = try ClientProcess.request("/", of: "http://127.0.\(number / 200).\(number % 200 + 1)")
                    // Not every name server answers.
                    request.timeoutInterval = 10
                    return dispatcher.dataFuture(from: request)
                }
                for future in futures { future.send() }
                try #require(try await Self.endings(of: futures, watch, log).count == 400)
            }
            try print(log.text())
        }

        /// The texts of the errors of look-ups, none of which is about a thread, nor has taken the last descriptor.
        private static func endings(
            of futures: [ResponseFuture<Response<Data?>>], _ watch: Watch, _ log: ProcessLog
        ) async throws -> [String] {
            var kinds: [String: Int] = [:], texts: [String] = []
            for future in futures {
                do { _ = try await future.value } catch let error as TransferError {
                    kinds["\(error.kind)", default: 0] += 1
                    texts.append("\(error) \(error.underlyingError.map { "\($0)" } ?? "")")
                }
            }
            let refusals = watch.end()
            try log("\(futures.count) look-ups: \(kinds), \(refusals) refusals")
            try #require(!texts.contains { $0.contains("thread failed to start") })
            try #require(refusals == 0)
            return texts
        }

        /// Takes a descriptor again and again, on a thread of its own, and counts how often there is none.
        private struct Watch: Sendable {
            private let isOver = Locked(false), refusals = Locked(0)

            init() {
                Thread.detachNewThread { [isOver, refusals] in
                    while !isOver.withLock({ $0 }) {
                        let other = dup(2)
                        if other >= 0 { close(other) } else { refusals.withLock { $0 += 1 } }
                        usleep(100)
                    }
                }
            }

            /// Returns the count.
            func end() -> Int {
                isOver.withLock { $0 = true }
                return refusals.withLock { $0 }
            }
        }
    }
#endif
