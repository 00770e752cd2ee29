import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct FixturePost: Codable, Sendable, Equatable {
    var id: Int
    var title: String
}

struct FixtureFeed: Codable, Sendable {
    struct Page: Codable, Sendable {
        var posts: [FixturePost]
    }
    var page: Page
}

/// A GET of this URL.
func fixtureRequest(_ string: String = "https://example.com/posts") throws -> URLRequest {
    URLRequest(url: try URL(fixture: string))
}

func fixtureResponse(
    _ body: String?, statusCode: StatusCode = .ok, url: String = "https://example.com/posts"
) throws -> Response<Data?> {
    try Response.makeMockResponse(
        with: fixtureRequest(url), data: body.map { Data($0.utf8) }, statusCode: statusCode)
}

/// A response that didn't come over HTTP.
func fixtureFileResponse(_ body: String?) throws -> Response<Data?> {
    let url = try URL(fixture: "file:///tmp/posts.json")
    let head = URLResponse(url: url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
    return Response(data: body.map { Data($0.utf8) }, urlRequest: URLRequest(url: url), urlResponse: head)
}

struct NotAURL: Error {
    var string: String
}

extension URL {
    init(fixture string: String) throws {
        guard let url = URL(string: string) else { throw NotAURL(string: string) }
        self = url
    }
}
