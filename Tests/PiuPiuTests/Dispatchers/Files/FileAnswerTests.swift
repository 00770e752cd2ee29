import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the head of a response means for a file.
@Suite("FILES: which answers are files", .timeLimit(.minutes(10)))
struct FileAnswerTests {
    private typealias Field = (name: String, value: String)

    private func answer(
        _ status: Int, _ fields: [Field], range: String? = nil, resuming: DownloadResumption? = nil,
        to method: String = "GET"
    ) throws -> FileAnswer {
        let url = try #require(URL(string: "http://host/file"))
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(range, forHTTPHeaderField: "Range")
        return FileAnswer(TransferHead(url: url, status: status, fields: fields), to: request, resumption: resuming)
    }

    private func resumption(_ length: Int64, total: Int64? = 300, validator: String = "\"v1\"") -> DownloadResumption {
        let record = DownloadRecord(url: "http://host/file", validator: validator, total: total)
        return DownloadResumption(length: length, checksum: FileChecksum(), record: record)
    }

    @Test("A whole file, of known and unknown length")
    func whole() throws {
        #expect(try answer(200, [("Content-Length", "300")]) == .file(offset: 0, length: 300))
        #expect(try answer(200, []) == .file(offset: 0, length: nil))
        for coding in ["identity", "none", "", " Identity , NONE,"] {
            #expect(try answer(203, [("content-encoding", coding)]) == .file(offset: 0, length: nil), "\(coding)")
        }
        let range = ("Content-Range", "bytes 0-299/300")
        #expect(try answer(200, [range, ("Content-Length", "300")]) == .file(offset: 0, length: 300))
        for status in [204, 205, 301, 304, 400, 404, 416, 500] { #expect(try answer(status, []) == .noFile) }
    }

    @Test("The answer to HEAD is no file", arguments: ["HEAD", "head"])
    func head(method: String) throws {
        for status in [200, 206, 404] { #expect(try answer(status, [("Content-Length", "3")], to: method) == .noFile) }
        #expect(try answer(200, [("Content-Encoding", "gzip")], resuming: resumption(100), to: method) == .noFile)
        #expect(try answer(416, [], resuming: resumption(100), to: method) == .stale)
    }

    @Test(
        "A length, a range and a total that contradict each other",
        arguments: [
            (200, "bytes 0-99/300", 300), (200, "bytes 0-299/300", 299), (200, "bytes 1-299/300", 299),
            (206, "bytes 0-99/300", 99), (206, "bytes 0-99/300", 300), (206, "bytes 99-0/300", 100),
            (206, "bytes 0-99/99", 100), (206, "bytes 0-99", 100), (206, "items 0-99/300", 100),
            (206, "bytes 0-18446744073709551616/18446744073709551617", 100),
            (206, "bytes 0-9223372036854775807/*", 100),
            // Not what was asked for.
            (206, "bytes 10-99/300", 90), (206, "bytes 0-199/300", 200),
        ])
    func contradictions(status: Int, range: String, length: Int) throws {
        let fields = [("Content-Range", range), ("Content-Length", "\(length)")]
        #expect(try answer(status, fields, range: "bytes=0-99") == .unfit(.contradictory))
    }

    @Test(
        """
        RFC 9110, 8.8.2.2: a date less than a minute old is no validator, as a file may change twice within it. Nor is any \
        validator of a status other than 200, or of a server without ranges
        """)
    func validators() throws {
        let url = try #require(URL(string: "http://host/file"))
        for (date, isSafe) in [("Sun, 06 Nov 1994 08:48:37 GMT", true), ("Sun, 06 Nov 1994 08:48:38 GMT", false)] {
            let fields = [("Last-Modified", date), ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")]
            let record = DownloadRecord(of: TransferHead(url: url, status: 200, fields: fields), to: url)
            #expect((record != nil) == isSafe)
        }
        let refusing = [("ETag", "\"v1\""), ("Accept-Ranges", "None")]
        #expect(DownloadRecord(of: TransferHead(url: url, status: 200, fields: refusing), to: url) == nil)
        for status in [200, 203, 206] {
            let record = DownloadRecord(
                of: TransferHead(url: url, status: status, fields: [("ETag", "\"v1\"")]), to: url)
            #expect((record != nil) == (status == 200), "\(status)")
        }
        let dateless = TransferHead(url: url, status: 200, fields: [("Last-Modified", "Sun, 06 Nov 1994 08:48:37 GMT")])
        #expect(DownloadRecord(of: dateless, to: url) == nil)
    }

    @Test("An entity tag that no header can have doesn't count", arguments: ["\"\u{85}\"", "\"\u{1}\""])
    func unsendableTag(tag: String) throws {
        let url = try #require(URL(string: "http://host/file"))
        let old = ("Last-Modified", "Sun, 06 Nov 1994 08:48:37 GMT"), date = ("Date", "Mon, 07 Nov 1994 08:48:37 GMT")
        #expect(DownloadRecord(of: TransferHead(url: url, status: 200, fields: [("ETag", tag)]), to: url) == nil)
        let dated = TransferHead(url: url, status: 200, fields: [("ETag", tag), old, date])
        let record = try #require(DownloadRecord(of: dated, to: url))
        #expect(String(decoding: try JSONEncoder().encode(record), as: UTF8.self).contains(old.1))
    }

    @Test("The record of a download doesn't contain its URL, which may have secrets")
    func secretURL() throws {
        let url = try #require(URL(string: "http://user:hunter2@host/file?sig=hunter3"))
        let head = TransferHead(url: url, status: 200, fields: [("ETag", "\"v1\"")])
        let record = try #require(DownloadRecord(of: head, to: url))
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        #expect(!text.contains("hunter") && !text.contains("host"))
        let read = try JSONDecoder().decode(DownloadRecord.self, from: Data(text.utf8))
        #expect(read.isRecord(of: url))
        #expect(read.isRecord(of: try #require(URL(string: "http://user:hunter2@host/file?sig=hunter4"))) == false)
    }

    @Test("The requested part is accepted; any other is refused")
    func parts() throws {
        let range = ("Content-Range", "bytes 0-99/300")
        #expect(try answer(206, [range], range: "bytes=0-99") == .file(offset: 0, length: 100))
        #expect(
            try answer(206, [("Content-Range", "bytes 0-49/50")], range: "bytes=0-99") == .file(offset: 0, length: 50))
        #expect(try answer(206, [("Content-Range", "bytes 9-99/*")], range: "Bytes=9-") == .file(offset: 0, length: 91))
        #expect(try answer(206, [range], range: "bytes=-100") == .file(offset: 0, length: 100))
        let parts = ("Content-Type", "multipart/byteranges; boundary=a")
        #expect(try answer(206, [parts], range: "bytes=0-1,5-6") == .file(offset: 0, length: nil))
        #expect(try answer(206, [], range: "bytes=0-1") == .unfit(.contradictory))
        #expect(try answer(206, [range]) == .unfit(.partial))
        #expect(try answer(206, []) == .unfit(.partial))
    }

    @Test(
        "A coded body is refused, as nobody can tell whether it is whole",
        arguments: ["gzip", "br, gzip", "identity, Deflate", "x-unknown"])
    func codings(coding: String) throws {
        for status in [200, 206] {
            guard case .unfit(.coded) = try answer(status, [("Content-Encoding", coding)], range: "bytes=0-1") else {
                Issue.record("\(coding) was taken")
                continue
            }
        }
        #expect(try answer(404, [("Content-Encoding", coding)]) == .noFile)
    }

    @Test(
        "A download resumes only with the rest of the same file",
        arguments: [
            ("bytes 100-299/300", 200, FileAnswer.file(offset: 100, length: 200)),
            ("bytes 100-299/300", nil, .file(offset: 100, length: 200)),
            ("bytes 100-299/300", 199, .unfit(.contradictory)), ("bytes 100-299/300", 300, .unfit(.contradictory)),
            ("bytes 100-298/300", nil, .stale), ("bytes 99-299/300", nil, .stale), ("bytes 0-299/300", nil, .stale),
            ("bytes 100-299/*", nil, .stale), ("bytes 100-99/100", nil, .stale), ("bytes 299-100/300", nil, .stale),
            // The length of the whole has changed.
            ("bytes 100-399/400", nil, .stale), ("", nil, .stale),
        ] as [(String, Int?, FileAnswer)])
    func rest(range: String, length: Int?, expected: FileAnswer) throws {
        let fields: [Field] = [("Content-Range", range)] + (length.map { [("Content-Length", "\($0)")] } ?? [])
        #expect(try answer(206, fields, resuming: resumption(100)) == expected)
    }

    @Test("Another version of the file is requested anew, and a whole one is accepted")
    func versions() throws {
        let range: Field = ("Content-Range", "bytes 100-299/300")
        let went = FileAnswer.file(offset: 100, length: 200)
        #expect(try answer(206, [range, ("ETag", "\"v1\"")], resuming: resumption(100)) == went)
        #expect(try answer(206, [range, ("ETag", "\"v2\"")], resuming: resumption(100)) == .stale)
        let date = resumption(100, total: nil, validator: "Sat, 01 Jan 2000 00:00:00 GMT")
        #expect(try answer(206, [range, ("ETag", "\"v2\"")], resuming: date) == went)
        for (text, expected) in [
            ("Sat, 01 Jan 2000 00:00:00 GMT", went), ("Sat Jan  1 00:00:00 2000", went),
            ("Sun, 02 Jan 2000 00:00:00 GMT", .stale), ("yesterday", .stale),
        ] {
            #expect(try answer(206, [range, ("Last-Modified", text)], resuming: date) == expected, "\(text)")
            #expect(try answer(206, [range, ("Last-Modified", text)], resuming: resumption(100)) == went)
        }
        #expect(try answer(416, [], resuming: resumption(100)) == .stale)
        let inverted: Field = ("Content-Range", "bytes 100-99/100")
        #expect(try answer(206, [inverted], resuming: resumption(100, total: nil)) == .stale)
        #expect(try answer(503, [], resuming: resumption(100)) == .noFile)
        #expect(
            try answer(200, [("Content-Length", "9")], resuming: resumption(100)) == .file(offset: 0, length: 9))
    }

    @Test("The checksum depends on the bytes, not on how they are split, and any changed byte changes it")
    func checksum() {
        var generator = SeededGenerator(seed: 7)
        let bytes = Data((0..<1_003).map { _ in UInt8.random(in: 0...255, using: &generator) })
        var whole = FileChecksum()
        whole.append(bytes)
        for step in [1, 2, 3, 7, 8, 9, 64, 999] {
            var parts = FileChecksum()
            for start in stride(from: 0, to: bytes.count, by: step) { parts.append(bytes[start...].prefix(step)) }
            #expect(parts.value == whole.value, "in steps of \(step)")
        }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << (index % 8)
            var other = FileChecksum()
            other.append(damaged)
            #expect(other.value != whole.value)
        }
        var zeros = FileChecksum(), more = FileChecksum()
        zeros.append(Data(count: 8))
        more.append(Data(count: 9))
        #expect(zeros.value != more.value && zeros.value != FileChecksum().value)
    }
}
