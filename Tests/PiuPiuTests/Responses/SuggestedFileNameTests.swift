import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The file name that a response suggests", .timeLimit(.minutes(10)))
struct SuggestedFileNameTests {
    private func name(_ disposition: String?, url: String = "https://example.com/films/seven.mp4") throws -> String {
        let fields = disposition.map { [(name: "content-disposition", value: $0)] } ?? []
        let url = try URL(fixture: url), head = TransferHead(url: url, status: 200, fields: fields)
        return Response(data: Data?.none, urlRequest: URLRequest(url: url), head: head).suggestedFileName
    }

    @Test(
        "The header names the file, and its extended form counts more",
        arguments: [
            ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("ATTACHMENT;FileName=\"a \\\"b\\\"; c.txt\"", "a \"b\"; c.txt"), ("inline; x=y; filename=a", "a"),
            ("attachment; filename=\"100%25.txt\"", "100%25.txt"),
            ("attachment; filename=\"e.txt\"; filename*=UTF-8''%e2%82%ac%20r%C3%A4tes.txt", "€ rätes.txt"),
            ("attachment; filename*=iso-8859-1'en'%A3%20rates; filename=e", "£ rates"),
            ("attachment; filename*=\"utf-8''a%2Bb\"", "a+b"),
            // An extended form that can't be decoded doesn't count.
            ("attachment; filename*=UTF-8''%ff.txt; filename=e.txt", "e.txt"),
            ("attachment; filename*=UTF-8''%4; filename=e.txt", "e.txt"),
            ("attachment; filename*=koi8-r''a; filename=e.txt", "e.txt"),
            ("attachment; filename*=plain; filename=e.txt", "e.txt"),
        ])
    func header(disposition: String, expected: String) throws {
        #expect(try name(disposition) == expected)
    }

    @Test(
        "Without a name in the header it is the last part of the URL's path, else a word",
        arguments: [
            ("https://example.com/films/seven.mp4?token=a/b", "seven.mp4"), ("https://example.com/films/", "films"),
            ("https://example.com/r%C3%A4tes%20%231", "rätes #1"), ("https://example.com/%FF", "%FF"),
            ("https://example.com/a%2F..%2Fb", "b"), ("https://example.com/", "download"),
            ("https://example.com", "download"), ("https://example.com/%2E%2E", "download"),
        ])
    func path(url: String, expected: String) throws {
        #expect(try name(nil, url: url) == expected)
        for disposition in ["attachment", "attachment; filename=\"\"", "attachment; filename=\"..\"", "", ";;"] {
            #expect(try name(disposition, url: url) == expected)
        }
    }

    @Test(
        "A name is no path, isn't hidden, and shows what it is",
        arguments: [
            ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("..%5C..%5Cboot.ini", "boot.ini"),
            ("a%2Fb%5Cc.txt", "c.txt"), ("...bashrc", "bashrc"), (" . .a ", "a"), ("a%00.t%0Ax%7Ft%C2%85", "a.txt"),
            ("a%E2%80%AEgnp.exe", "agnp.exe"), ("a%E2%80%A8b", "ab"), ("a..b..", "a..b.."), ("c:a", "c:a"),
        ])
    func safety(encoded: String, expected: String) throws {
        #expect(try name("attachment; filename*=UTF-8''\(encoded)") == expected)
    }

    @Test("What is no name at all is left out", arguments: ["..", ".", "/", "a/", "%00", "%20", "%5C"])
    func noName(encoded: String) throws {
        #expect(try name("attachment; filename*=UTF-8''\(encoded)") == "seven.mp4")
        #expect(try name("attachment; filename*=UTF-8''\(encoded); filename=b") == "b")
    }

    @Test("A long name is cut at a character, and keeps its extension")
    func length() throws {
        let exact = String(repeating: "a", count: 196) + ".txt"
        #expect(try name("a; filename=\(exact)") == exact)
        #expect(try name("a; filename=a\(exact)") == exact)
        let accents = String(repeating: "é", count: 300)
        #expect(try name("a; filename=\"\(accents).txt\"") == String(repeating: "é", count: 98) + ".txt")
        #expect(try name("a; filename=\"a.\(accents)\"") == "a." + String(repeating: "é", count: 99))
        let endless = "e" + String(repeating: "\u{301}", count: 300)
        #expect(try name("a; filename=\"\(endless).txt\"") == "download.txt")
        let flags = String(repeating: "🇩🇰", count: 30)
        #expect(try name("a; filename=\"a\(flags).txt\"") == "a" + String(repeating: "🇩🇰", count: 24) + ".txt")
    }

    @Test("The time for a long name is linear, whatever stands in it", .timeLimit(.minutes(1)))
    func hostile() throws {
        // Whether a flag begins with one of them depends on all before it.
        let indicators = String(repeating: "\u{1F1E9}", count: 200_000)
        #expect(try name("a; filename=\"\(indicators)\"").utf8.count == 200)
        #expect(try name("a; filename=\"\(indicators).txt\"").hasSuffix(".txt"))
        #expect(try name("a; filename=\"a.\(indicators)\"").hasPrefix("a."))
    }

    @Test(
        "A name in UTF-8 that was read as Latin-1 is the one that was sent",
        arguments: [
            ("Ã\u{9C}bersicht.pdf", "Übersicht.pdf"), ("Ã\u{A9}tÃ\u{A9}", "été"), ("â\u{82}¬", "€"),
            ("Übersicht.pdf", "Übersicht.pdf"), ("été", "été"), ("€ Ã\u{9C}", "€ Ã"), ("plain", "plain"),
        ])
    func latin1(sent: String, expected: String) throws {
        let url = try URL(fixture: "https://example.com/films"), field = "attachment; filename=\"\(sent)\""
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Disposition": field]))
        let response = Response(data: Data?.none, urlRequest: URLRequest(url: url), urlResponse: head)
        #expect(response.suggestedFileName == expected)
        #expect(try name(field) == expected)
        #expect(try name("attachment; filename*=UTF-8''%C3%83%C2%9C") == "Ã")
    }
}
