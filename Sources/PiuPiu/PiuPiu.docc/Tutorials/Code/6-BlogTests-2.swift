import Foundation
import PiuPiu
import Testing

@testable import BlogApp  // your app's module, with Blog.swift: its types are internal

struct BlogTests {
    @Test func postHasATitle() async throws {
        let mock = MockURLRequestDispatcher { request in
            let post = Post(id: 1, userId: 7, title: "Mock")
            return try Response.makeMockJSONResponse(with: request, encodable: post, statusCode: .ok)
        }
        let blog = Blog(dispatcher: mock, server: URL(filePath: "/"))
        #expect(try await blog.post(1).value.title == "Mock")
    }

    @Test func missingPostIsAnError() async throws {
        let mock = MockURLRequestDispatcher { request in
            Response.makeMockResponse(with: request, statusCode: .notFound)
        }
        let blog = Blog(dispatcher: mock, server: URL(filePath: "/"))
        await #expect(throws: UnacceptableStatusError.self) { try await blog.post(1).value }
    }
}
