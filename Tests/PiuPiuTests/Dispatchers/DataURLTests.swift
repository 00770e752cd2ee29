import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The vectors are those of the Web Platform Tests (fetch/data-urls/resources: data-urls.json, base64.json).
@Suite("Data URLs", .timeLimit(.minutes(10)))
struct DataURLTests {
    private static let none = "text/plain;charset=US-ASCII"
    private static let umlauts = Array("áñçə💩".utf8)

    static let wellFormed: [(String, String, [UInt8])] = [
        ("data://test/,X", none, [88]), ("data:,X", none, [88]), ("data:,", none, []), ("data:,X#X", none, [88]),
        ("data:,%FF", none, [255]), ("data:text/plain,X", "text/plain", [88]),
        ("data:text/plain ,X", "text/plain", [88]),
        ("data:text/plain%20,X", "text/plain%20", [88]), ("data:text/plain\u{0C},X", "text/plain%0c", [88]),
        ("data:text/plain%0C,X", "text/plain%0c", [88]), ("data:text/plain;,X", "text/plain", [88]),
        ("data:;x=x;charset=x,X", "text/plain;x=x;charset=x", [88]), ("data:;x=x,X", "text/plain;x=x", [88]),
        ("data:text/plain;charset=windows-1252,%C2%B1", "text/plain;charset=windows-1252", [194, 177]),
        ("data:text/plain;charset=UTF-8,%C2%B1", "text/plain;charset=UTF-8", [194, 177]),
        ("data:text/plain;charset=windows-1252,áñçə💩", "text/plain;charset=windows-1252", umlauts),
        ("data:text/plain;charset=UTF-8,áñçə💩", "text/plain;charset=UTF-8", umlauts),
        ("data:image/gif,%C2%B1", "image/gif", [194, 177]), ("data:IMAGE/gif,%C2%B1", "image/gif", [194, 177]),
        ("data:IMAGE/gif;hi=x,%C2%B1", "image/gif;hi=x", [194, 177]),
        ("data:IMAGE/gif;CHARSET=x,%C2%B1", "image/gif;charset=x", [194, 177]), ("data: ,%FF", none, [255]),
        ("data:%20,%FF", none, [255]), ("data:\u{0C},%FF", none, [255]), ("data:%1F,%FF", none, [255]),
        ("data:\u{0},%FF", none, [255]), ("data:%00,%FF", none, [255]), ("data:text/html  ,X", "text/html", [88]),
        ("data:text / html,X", none, [88]), ("data:†,X", none, [88]), ("data:†/†,X", "%e2%80%a0/%e2%80%a0", [88]),
        ("data:X,X", none, [88]), ("data:image/png,X X", "image/png", [88, 32, 88]),
        ("data:application/javascript,X X", "application/javascript", [88, 32, 88]),
        ("data:unknown/unknown,X X", "unknown/unknown", [88, 32, 88]),
        ("data:text/plain;a=\",\",X", "text/plain;a=\"\"", [34, 44, 88]),
        ("data:text/plain;a=%2C,X", "text/plain;a=%2C", [88]), ("data:;base64;base64,WA", "text/plain", [88]),
        ("data:x/x;base64;base64,WA", "x/x", [88]), ("data:x/x;base64;charset=x,WA", "x/x;charset=x", [87, 65]),
        ("data:x/x;base64;charset=x;base64,WA", "x/x;charset=x", [88]),
        ("data:x/x;base64;base64x,WA", "x/x", [87, 65]),
        ("data:;base64,W%20A", none, [88]), ("data:;base64,W%0CA", none, [88]), ("data:x;base64x,WA", none, [87, 65]),
        ("data:x;base64;x,WA", none, [87, 65]), ("data:x;base64=x,WA", none, [87, 65]),
        ("data:; base64,WA", none, [88]),
        ("data:;  base64,WA", none, [88]), ("data:  ;charset=x   ;  base64,WA", "text/plain;charset=x", [88]),
        ("data:;base64;,WA", "text/plain", [87, 65]), ("data:;base64 ,WA", none, [88]),
        ("data:;base64   ,WA", none, [88]),
        ("data:;base 64,WA", "text/plain", [87, 65]), ("data:;BASe64,WA", none, [88]),
        ("data:;%62ase64,WA", "text/plain", [87, 65]), ("data:%3Bbase64,WA", none, [87, 65]),
        ("data:;charset=x,X", "text/plain;charset=x", [88]), ("data:; charset=x,X", "text/plain;charset=x", [88]),
        ("data:;charset =x,X", "text/plain", [88]), ("data:;charset= x,X", "text/plain;charset=\" x\"", [88]),
        ("data:;charset=,X", "text/plain", [88]), ("data:;charset,X", "text/plain", [88]),
        ("data:;charset=\"x\",X", "text/plain;charset=x", [88]),
        ("data:;CHARSET=\"X\",X", "text/plain;charset=X", [88]),
        ("data:text/plain;a=\"b\\\"c\\\\\"d;a=e;f=\"\",X", #"text/plain;a="b\"c\\";f="""#, [88]),
        ("DATA:application/json;BASE64,e30%3D", "application/json", Array("{}".utf8)),
        ("data:,%", none, Array("%".utf8)), ("data:,%2", none, Array("%2".utf8)),
        ("data:,%zz%+1", none, Array("%zz%+1".utf8)),
        ("data:,a,b?c", none, Array("a,b?c".utf8)), ("data:a/b/c,X", none, [88]),
    ]

    @Test("Each is read as browsers read it", arguments: wellFormed)
    func reading(text: String, type: String, content: [UInt8]) throws {
        let parsed = try #require(DataURL(text))
        #expect(parsed.mediaType.description == type)
        #expect(Array(parsed.content) == content)
    }

    @Test(
        "What browsers refuse is malformed",
        arguments: [
            "data://test:test/,X", "data:", "data:text/html",
            "data:text/html    ;charset=x   ", "data:#,X", "http://host/,", "",
        ])
    func malformed(text: String) {
        #expect(DataURL(text) == nil)
    }

    static let base64Inputs: [(String, [UInt8]?)] = [
        ("", []), ("abcd", [105, 183, 29]), (" abcd", [105, 183, 29]), ("abcd ", [105, 183, 29]), (" abcd===", nil),
        ("abcd=== ", nil), ("abcd ===", nil), ("a", nil), ("ab", [105]), ("abc", [105, 183]), ("abcde", nil),
        ("𐀀", nil),
        ("=", nil), ("==", nil), ("===", nil), ("====", nil), ("=====", nil), ("a=", nil), ("a==", nil), ("a===", nil),
        ("a====", nil), ("a=====", nil), ("ab=", nil), ("ab==", [105]), ("ab===", nil), ("ab====", nil),
        ("ab=====", nil),
        ("abc=", [105, 183]), ("abc==", nil), ("abc===", nil), ("abc====", nil), ("abc=====", nil), ("abcd=", nil),
        ("abcd==", nil), ("abcd===", nil), ("abcd====", nil), ("abcd=====", nil), ("abcde=", nil), ("abcde==", nil),
        ("abcde===", nil), ("abcde====", nil), ("abcde=====", nil), ("=a", nil), ("=a=", nil), ("a=b", nil),
        ("a=b=", nil),
        ("ab=c", nil), ("ab=c=", nil), ("ab=c=d", nil), ("ab=c=d=", nil), ("\u{B}", nil), ("\u{C}", []),
        ("\u{3000}", nil),
        ("ab\tcd", [105, 183, 29]), ("ab\ncd", [105, 183, 29]), ("ab\u{C}cd", [105, 183, 29]),
        ("ab\rcd", [105, 183, 29]),
        ("ab cd", [105, 183, 29]), ("ab\u{A0}cd", nil), ("ab\t\n\u{C}\r cd", [105, 183, 29]),
        (" \t\n\u{C}\r ab\t\n\u{C}\r cd\t\n\u{C}\r ", [105, 183, 29]),
        ("ab\t\n\u{C}\r =\t\n\u{C}\r =\t\n\u{C}\r ", [105]),
        ("A", nil), ("/A", [252]), ("//A", [255, 240]), ("///A", [255, 255, 192]), ("////A", nil), ("/", nil),
        ("A/", [3]), ("AA/", [0, 15]), ("AAAA/", nil), ("AAA/", [0, 0, 63]), ("\0nonsense", nil),
        ("abcd\0nonsense", nil),
        ("YQ", [97]), ("YR", [97]), ("~~", nil), ("??", nil), ("--", nil), ("__", nil),
    ]

    @Test("Base64 may lack padding and contain white space, but have no other fault", arguments: base64Inputs)
    func base64(text: String, content: [UInt8]?) throws {
        #expect(ForgivingBase64.decoded(Array(text.utf8)) == content)
        let encoded = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(DataURL("data:;base64,\(encoded)").map { Array($0.content) } == content)
    }

    /// In Foundation's URLs, an encoded space looks the same as one that Foundation encoded.
    static let ambiguous = ["data:text/plain%20,X"]

    @Test("Through a dispatcher each arrives as the parser reads it", arguments: wellFormed)
    func dispatcher(text: String, type: String, content: [UInt8]) async throws {
        // Foundation refuses some as URLs, and encodes others a second time.
        guard let url = URL(string: text), !url.absoluteString.contains("%25"), !Self.ambiguous.contains(text) else {
            return
        }
        let response = try await URLRequestDispatcher().dataFuture(from: URLRequest(url: url)).value
        #expect(Array(response.data ?? Data()) == content)
        let parsed = try #require(DataURL(text))
        #expect(response.urlResponse.mimeType == parsed.mimeType)
        #expect(response.urlResponse.textEncodingName?.lowercased() == parsed.charset?.lowercased())
    }

    @Test("Through a dispatcher wrong base64 is the error of a malformed data URL")
    func wrongBase64() async throws {
        for (text, content) in Self.base64Inputs {
            guard let url = URL(string: "data:;base64,\(text)") else { continue }
            let result = await URLRequestDispatcher().dataFuture(from: URLRequest(url: url)).result
            switch result {
            case .success(let response): #expect(Array(response.data ?? Data()) == content, "\(text)")
            case .failure(let error):
                #expect((error as? TransferError)?.kind == .malformedDataURL, "\(text)")
                #expect(content == nil, "\(text)")
            }
        }
    }
}
