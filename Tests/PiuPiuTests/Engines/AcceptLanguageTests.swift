import Foundation
import PiuPiu
import Testing

@Suite("The languages of an engine over URLSession", .timeLimit(.minutes(10)))
struct AcceptLanguageTests {
    private static let values: [(languages: [String], value: String?)] = [
        ([], nil), (["da"], "da"), (["en-US"], "en-US,en;q=0.9"),
        (["da-DK", "en-GB"], "da-DK,da;q=0.9,en-GB;q=0.8,en;q=0.7"),
        (["en", "en-US", "es-419"], "en,en-US;q=0.9,es-419;q=0.8,es;q=0.7"),
        (["zh-Hant-TW"], "zh-Hant-TW,zh-TW;q=0.9,zh-Hant;q=0.8"), (["zh-Hans"], "zh-Hans"),
        (["zh-Hans-CN", "zh-Hans-SG"], "zh-Hans-CN,zh-CN;q=0.9,zh-Hans;q=0.8,zh-Hans-SG;q=0.7,zh-SG;q=0.6"),
        (["de-1996", "uz-Latn-x-a"], "de-1996,de;q=0.9,uz-Latn-x-a;q=0.8,uz-Latn;q=0.7"),
        (
            (0..<26).map { "\($0)" },
            "0,1;q=0.9,2;q=0.8,3;q=0.7,4;q=0.6,5;q=0.5,6;q=0.4,7;q=0.3,8;q=0.2,9;q=0.1"
        ),
    ]

    @Test("The languages are ranked in order, each before its more general forms, and ten of them are sent")
    func value() {
        for (languages, value) in Self.values { #expect(AcceptLanguage.value(for: languages) == value) }
    }

    #if canImport(Darwin)
        @Test("K1 KEY: a cache sees the languages that a session would add below it, unless there are others")
        func settings() throws {
            func fields(_ configuration: URLSessionConfiguration) -> [String: String] {
                URLSessionEngine(configuration: configuration).settings.additionalHeaders
            }
            let configuration = URLSessionConfiguration.ephemeral
            let value = try #require(AcceptLanguage.value(for: Locale.preferredLanguages))
            #expect(fields(configuration) == ["Accept-Language": value])
            configuration.httpAdditionalHeaders = ["accept-language": "da"]
            #expect(fields(configuration) == ["accept-language": "da"])
        }
    #endif
}
