#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PiuPiu
    import Testing

    /// libcurl takes the parts of a URL from those of the same one before. They are sent as they are.
    @Suite("The engine over libcurl: request targets", .timeLimit(.minutes(10)))
    struct RequestTargetTests {
        @Test("Each request has the target of its URL, also if it is sent again, or others come between")
        func targets() async throws {
            let targets = ["/", "/a%2Fb/../c", "/a%2Fb/./c?x=%2F&y=+", "/?", "/?q", "/a;b=c//d?e=f?g", "/?"]
            let engine = try #require(CurlEngine(configuration: .ephemeral)), listener = try LocalListener(backlog: 8)
            let origin = try #require(listener.url?.absoluteString.dropLast())
            let order = targets.flatMap { [$0, $0] } + targets.reversed() + targets
            let heads = Log<String>()
            Thread.detachNewThread {
                let connection = listener.connection()
                for _ in order {
                    heads.append(connection.readHead())
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK")
                }
            }
            for target in order { _ = try await engine.load(url("\(origin)\(target)#fragment")) }
            #expect(heads.all.map { String($0.prefix { $0 != "\r\n" }) } == order.map { "GET \($0) HTTP/1.1" })
        }

        @Test("A URL that others have taken the place of keeps its parts until its request is sent")
        func replacedBeforeSending() async throws {
            let engine = try #require(CurlEngine(configuration: .ephemeral)), listener = try LocalListener(backlog: 64)
            let origin = try #require(listener.url?.absoluteString.dropLast())
            let targets = (0..<40).map { "/\($0 % 20)" }
            let heads = Log<String>()
            Thread.detachNewThread {
                for _ in targets {
                    let connection = listener.connection()
                    heads.append(connection.readHead())
                    connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nOK")
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for target in targets { group.addTask { _ = try await engine.load(url("\(origin)\(target)")) } }
                try await group.waitForAll()
            }
            let sent = heads.all.compactMap { $0.split(separator: " ").dropFirst().first.map(String.init) }
            #expect(sent.sorted() == targets.sorted())
        }
    }
#endif
