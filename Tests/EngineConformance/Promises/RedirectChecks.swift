import Foundation
import LoopbackServer
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Redirects: which are followed, and what the next request keeps.
enum RedirectChecks {
    static let all = [limit, withoutLocation, postBecomesGet, methodIsKept, bodyAgain, fileAgain, credentials]

    private static let limit = EngineCheck("redirects: 20 are followed, 21 are too many") { stand in
        let response = try await stand.load("/redirect/20")
        try expect(response.status, is: 200, "the status")
        try expect(response.urlRequest.url, is: stand.server.url("/redirect/0"), "the last request")
        try expect(response.urlResponse.url, is: stand.server.url("/redirect/0"), "the URL of the response")
        let error = try await failure(of: "a chain of 21") { try await stand.load("/redirect/21") }
        try expect(error, isOneOf: [.tooManyRedirects])
    }

    private static let withoutLocation = EngineCheck(
        "redirects: one without a usable location is a response"
    ) { stand in
        for status in [300, 301, 302, 303, 305, 307, 308] {
            for (number, location) in [nil, "", "http://["].enumerated() {
                let headers = location.map { [LoopbackHeader("Location", $0)] } ?? []
                let path = "/nowhere/\(number)/\(status)"
                stand.server.handle("GET", path, reply: .text("sorry", status: status, headers: headers))
                try expect(try await stand.load(path).status, is: status, "the status")
            }
        }
    }

    private static let postBecomesGet = EngineCheck("redirects: 301, 302 and 303 make a POST a GET") { stand in
        for status in [301, 302, 303] {
            let request = stand.request(
                "/redirect/2?status=\(status)", method: .post, headers: ["Content-Type": "text/plain"])
            let response = try await stand.dispatcher.uploadFuture(from: request, with: Data("body".utf8)).value
            let echo = try Echo(response)
            try expect(echo.method, is: "GET", "the method after \(status)")
            try expect(echo.body, is: "", "the body after \(status)")
            try expect(echo.header("Content-Type"), is: nil, "the content type after \(status)")
            try expect(response.urlRequest.httpMethod, is: "GET", "the method of the last request")
        }
    }

    private static let methodIsKept = EngineCheck("redirects: a PUT stays a PUT, except after 303") { stand in
        for status in [301, 302, 307, 308] {
            let request = stand.request("/redirect/1?status=\(status)", method: .put)
            let echo = try Echo(await stand.dispatcher.uploadFuture(from: request, with: Data("body".utf8)).value)
            try expect(echo.method, is: "PUT", "the method after \(status)")
            try expect(echo.body, is: "body", "the body after \(status)")
        }
        let echo = try Echo(await stand.load(stand.request("/redirect/1?status=303", method: .put)))
        try expect(echo.method, is: "GET", "the method after 303")
    }

    private static let bodyAgain = EngineCheck("redirects: 307 and 308 keep the body") { stand in
        let body = LoopbackPattern.data(count: 100_000).base64EncodedData()
        for status in [307, 308] {
            let request = stand.request(
                "/redirect/3?status=\(status)", method: .post, headers: ["Content-Type": "text/plain"])
            let response = try await stand.dispatcher.uploadFuture(from: request, with: body).value
            let echo = try Echo(response)
            try expect(echo.method, is: "POST", "the method")
            try expect(Data(echo.body.utf8) == body, "another body than was sent")
            try expect(echo.header("Content-Type"), is: "text/plain", "the content type")
            try expect(response.urlRequest.url?.path(), is: "/redirect/0", "the path of the last request")
        }
    }

    private static let fileAgain = EngineCheck("redirects: 307 keeps a file") { stand in
        let file = try stand.makeFile(bytes: 300_000)
        stand.server.handle("POST", "/moved", reply: .redirect(307, to: "/sink"))
        let request = stand.request("/moved", method: .post)
        let response = try await stand.dispatcher.uploadFuture(from: request, withFile: file).value
        try UploadChecks.expectWhole(response, bytes: 300_000)
    }

    private static let credentials = EngineCheck("redirects: credentials stay with their host") { stand in
        let other = try LoopbackServer.start()
        defer { other.stop() }
        let headers = [
            "Authorization": "Bearer secret", "Cookie": "secret=1", "X-API-Key": "secret", "X-Other": "kept",
        ]
        let targets = [
            (other.url("/echo").absoluteString, false), ("http://localhost:\(stand.server.port)/echo", false),
            ("/echo", true),
        ]
        for (number, (target, isSameOrigin)) in targets.enumerated() {
            for status in [301, 302, 303, 307, 308] {
                // A path of its own, as an engine may keep a permanent redirect.
                let path = "/away/\(number)/\(status)"
                stand.server.handle("GET", path, reply: .redirect(status, to: target))
                let response = try await stand.load(stand.request(path, headers: headers))
                let echo = try Echo(response)
                try expect(
                    echo.header("Authorization"), is: isSameOrigin ? "Bearer secret" : nil,
                    "the authorization after \(status) to \(target)")
                try expect(
                    echo.header("Cookie"), is: isSameOrigin ? "secret=1" : nil,
                    "the cookie after \(status) to \(target)")
                try expect(
                    echo.header("X-API-Key"), is: isSameOrigin ? "secret" : nil,
                    "the key after \(status) to \(target)")
                try expect(echo.header("X-Other"), is: "kept", "another header after \(status) to \(target)")
                try expect(
                    response.urlRequest.value(forHTTPHeaderField: "Authorization") != nil, is: isSameOrigin,
                    "whether the last request names the authorization")
            }
        }
    }
}
