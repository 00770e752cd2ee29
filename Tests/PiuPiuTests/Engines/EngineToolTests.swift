import Foundation
import LoopbackServer
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The package's tools for writing an engine.
@Suite("Engines: tools", .timeLimit(.minutes(10)))
struct EngineToolTests {
    private func request(_ method: String = "GET", body: TransferBody = .none) throws -> TransferRequest {
        var request = URLRequest(url: try url("http://host.test/a/b"))
        request.httpMethod = method
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        return TransferRequest(request, body: body)
    }

    private func response(_ status: Int, location: String?) throws -> TransferHead {
        TransferHead(
            url: try url("http://host.test/a/b"), status: status,
            fields: location.map { [(name: "Location", value: $0)] } ?? [])
    }

    @Test("Only a redirect with a location leads to another request")
    func redirects() throws {
        for status in [301, 302, 303, 307, 308] {
            let next = try request().redirected(by: response(status, location: "../c?d"))
            #expect(next?.urlRequest.url == (try url("http://host.test/c?d")))
            #expect(next?.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
            #expect(try request().redirected(by: response(status, location: nil)) == nil)
        }
        for status in [200, 201, 300, 304, 305, 404] {
            #expect(try request().redirected(by: response(status, location: "/c")) == nil)
        }
        let away = try request().redirected(by: response(302, location: "http://other.test/"))
        #expect(away?.urlRequest.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test("A location of another scheme, and chunks that would be sent twice, are typed errors")
    func refusedRedirects() throws {
        for location in ["ftp://host.test/", "file:///etc/hostname", "mailto:a@b"] {
            let error = #expect(throws: TransferError.self) {
                try request().redirected(by: response(302, location: location))
            }
            #expect(error?.kind == .unsupportedURL)
        }
        let chunks = TransferBody.chunks(TransferChunks(AsyncStream<Data> { $0.finish() }))
        let error = #expect(throws: TransferError.self) {
            try request("POST", body: chunks).redirected(by: response(307, location: "/c"))
        }
        #expect(error?.kind == .unreadableBody)
        let get = try request("POST", body: chunks).redirected(by: response(303, location: "/c"))
        #expect(get?.urlRequest.httpMethod == "GET")
    }

    @Test("Data without a byte is no body, and is sent in place of the request's own")
    func emptyData() throws {
        var own = URLRequest(url: try url("http://host.test/"))
        own.httpBody = Data("own".utf8)
        let request = TransferRequest(own, body: .data(Data()))
        guard case .none = request.body else { return #expect(Bool(false), "\(request.body)") }
        #expect(request.urlRequest.httpBody == nil)
    }

    @Test("A body of every kind comes in chunks, none of them empty", arguments: [1, 131_072, 500_000])
    func chunks(length: Int) async throws {
        let data = LoopbackPattern.data(count: length)
        let file = FileManager.default.temporaryDirectory.appending(path: "EngineToolTests-\(UUID().uuidString)")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let parts = AsyncStream { stream in
            for part in [Data(), data.prefix(1), Data(), data.dropFirst(1), Data()] { stream.yield(part) }
            stream.finish()
        }
        for body in [TransferBody.data(data), .file(file), .chunks(TransferChunks(parts, length: Int64(length)))] {
            let chunks = try #require(try body.chunks())
            #expect(chunks.length == Int64(length))
            var collected = Data()
            for try await chunk in chunks {
                #expect(!chunk.isEmpty)
                collected += chunk
            }
            #expect(collected == data)
        }
    }

    /// How many bytes the chunks of a file of 300,000 bytes have if it gets another length after the first chunk.
    private func count(ofFileCutOrFilledTo length: UInt64) async throws -> Int {
        let folder = try TemporaryFolder(), file = folder.file("f")
        try Data(count: 300_000).write(to: file)
        var chunks = try #require(try TransferBody.file(file).chunks()).makeAsyncIterator(), count = 0
        while let chunk = try await chunks.next() {
            count += chunk.count
            let handle = try FileHandle(forUpdating: file)
            try handle.truncate(atOffset: length)
            try handle.close()
        }
        return count
    }

    @Test("The chunks of a file have the length that it had first: it may grow, and one that shrinks is an error")
    func changedFile() async throws {
        #expect(try await count(ofFileCutOrFilledTo: 500_000) == 300_000)
        let error = await #expect(throws: TransferError.self) { try await count(ofFileCutOrFilledTo: 100_000) }
        #expect(error?.kind == .unreadableBody && error?.url?.lastPathComponent == "f")
    }

    #if os(Linux)
        @Test("A file that has content, but reports no size, is an error: its body would be sent as empty")
        func fileWithoutSize() {
            let file = URL(filePath: "/proc/self/status")
            let error = #expect(throws: TransferError.self) { try TransferBody.file(file).chunks() }
            #expect(error?.kind == .unreadableBody && error?.url == file)
        }
    #endif

    @Test func anEmptyBodyHasNoChunks() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "EngineToolTests-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for body in [TransferBody.none, .data(Data()), .file(file)] { #expect(try body.chunks() == nil) }
    }

    @Test func aFileThatCannotBeReadHasNone() throws {
        for path in ["/nonexistent", "/tmp", "/dev/null"] {
            let error = #expect(throws: TransferError.self) { try TransferBody.file(URL(filePath: path)).chunks() }
            #expect(error?.kind == .fileNotFound)
        }
    }
}

extension TransferRequest {
    /// The request that follows this one after a response; `nil` if that is no redirect.
    fileprivate func redirected(by head: TransferHead) throws -> TransferRequest? {
        guard let location = location(in: head), let status = head.status else { return nil }
        let next = urlRequest.redirected(to: location, status: status)
        return try redirected(to: next, keepsBody: next.httpMethod == urlRequest.httpMethod)
    }
}
