import Foundation
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The one rule for what is secret", .timeLimit(.minutes(10)))
struct SecretNameTests {
    static let secrets = [
        "refreshToken", "refresh_token", "REFRESH-TOKEN", "code", "otp", "sas", "sig", "api_secret", "apiSecret",
        "X_Api_Key",
        "x-api-key", "xApiKey", "X-Token", "X-Code", "client_secret", "clientSecret", "password", "newPassword",
        "password_confirmation", "user[password]", "passwd", "pwd", "Authorization", "X-Authorization", "cookie",
        "Set-Cookie",
        "session_id", "sessionID", "X-Amz-Signature", "X-Goog-Credential", "privateKey", "jwt", "key", "pin", "idToken",
        "csrf_token", "code_verifier", "AWSAccessKey", "SAMLResponse", "id_token_hint", "otp_code", "totp_code",
        "mfaCode", "security_code", "pin_code", "X-Pin-Code", "DD-APPLICATION-KEY", "applicationKey",
        "X-Authentication", "X-Appwrite-JWT", "X-Firebase-AppCheck", "X-License-Key", "X-Insert-Key",
        "oauth_verifier", "PHPSESSID", "sessid", "X-Amz-Server-Side-Encryption-Customer-Key",
    ]

    static let others = [
        "Accept", "author", "WWW-Authenticate", "Idempotency-Key", "Sec-WebSocket-Key", "page", "pageToken",
        "next_page_token", "continuation-token", "max_tokens", "monkey", "barcode", "country_code", "zipcode",
        "keyword",
        "X-RateLimit-Reset-Tokens", "X-Amz-Server-Side-Encryption-Customer-Key-MD5",
        "tokenType", "token_count", "design", "robots", "secretary", "assigned", "Content-Type", "ETag", "", "ключ",
        "-", "x-", "application", "verifier", "processId", "accessId",
    ]

    @Test("A secret is one by its name in a header, a query, a fragment, a form and JSON", arguments: secrets)
    func secret(name: String) throws {
        #expect(HeaderRedaction.secrets.value("v4lue", ofHeader: name) == "<redacted>")
        for text in try texts(of: name) { #expect(!text.contains("v4lue"), "\(text)") }
    }

    @Test("What isn't a secret by its name is shown everywhere", arguments: others)
    func other(name: String) throws {
        #expect(HeaderRedaction.secrets.value("v4lue", ofHeader: name) == "v4lue")
        for text in try texts(of: name) { #expect(text.split(separator: "v4lue").count > 1, "\(text)") }
    }

    @Test(
        "The last name in brackets or after a dot makes an item a secret, too",
        arguments: [
            "card[cvc]", "user[pin]", "Input.Pin", "card.cvc", "items[0].code", "card[pin][]", "card[pin][0]",
            "user.card[key]", "backup_tokens[1]",
        ])
    func lastNames(name: String) throws {
        for text in try texts(of: name) { #expect(!text.contains("v4lue"), "\(text)") }
        for text in try texts(of: "debit[\(name)][iban]", .secrets.adding(["iban"])) {
            #expect(!text.contains("v4lue"), "\(text)")
        }
    }

    @Test(
        "Other names in brackets or before a dot don't",
        arguments: ["card[pin][size]", "pin.size", "keys[0][1]", "[]."])
    func otherNames(name: String) throws {
        for text in try texts(of: name) { #expect(text.contains("v4lue"), "\(text)") }
    }

    @Test(
        "A number of tokens is shown in JSON and in a header, unless the app names it",
        arguments: ["tokens", "audio_tokens", "acceptedPredictionTokens", "max-new-tokens", "usage[budget_tokens]"])
    func numbersOfTokens(name: String) {
        func redacted(_ body: String, by redaction: HeaderRedaction = .secrets) -> String {
            SecretBody.redacted(body, contentType: "application/json", by: redaction, for: .response)
        }
        let own = HeaderRedaction.secrets.adding([name])
        #expect(HeaderRedaction.secrets.value("149984", ofHeader: name) == "149984")
        #expect(own.value("149984", ofHeader: name) == "<redacted>")
        let body = "{\"\(name)\":12,\"a\":{\"\(name)\": -3}}"
        #expect(redacted(body) == body && redacted(body, by: own) != body)
        for value in ["\"12\"", "[12]", "12a", "1.5"] {
            let body = "{\"\(name)\":\(value)}"
            #expect(redacted(body) != body)
        }
        #expect(HeaderRedaction.secrets.value("12a", ofHeader: name) == "<redacted>")
    }

    @Test(
        "Digits that may be a one-time password aren't shown in a query, a path or a form",
        arguments: ["backup_tokens[0]", "recovery_tokens", "tokens"])
    func digitsOfTokens(name: String) {
        let link = "https://h/a;\(name)=48213377?\(name)=48213377&b=c#\(name)=48213377"
        #expect(
            HeaderRedaction.secrets.value(link, ofHeader: "Location")
                == "https://h/a;\(name)=<redacted>?\(name)=<redacted>&b=c#\(name)=<redacted>")
        let part = "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n48213377\r\n--b--"
        let bodies = [
            ("[\"\(link)\"]", "application/json"), ("\(name)=48213377&a=b", URLEncodedForm.contentType),
            (part, "multipart/form-data; boundary=b"),
        ]
        for (body, type) in bodies {
            let shown = SecretBody.redacted(body, contentType: type, by: .secrets, for: .requestText)
            #expect(shown.contains("<redacted>") && !shown.contains("48213377"), "\(shown)")
        }
    }

    @Test("Redaction can be switched off, and an app's own names count everywhere")
    func asked() throws {
        for text in try texts(of: "password", .none) { #expect(text.contains("v4lue"), "\(text)") }
        for text in try texts(of: "X-Ours", HeaderRedaction(["x_ours"])) { #expect(!text.contains("v4lue"), "\(text)") }
        for text in try texts(of: "password", HeaderRedaction(["x_ours"])) {
            #expect(text.contains("v4lue"), "\(text)")
        }
        for text in try texts(of: "password", HeaderRedaction(["authorization"])) {
            #expect(!text.contains("v4lue"), "\(text)")
        }
    }

    @Test("Letters that aren't ASCII count, so that another name remains another one")
    func otherLetters() {
        let redaction = HeaderRedaction(["Größe"])
        #expect(redaction.value("7", ofHeader: "größe") == "<redacted>" && redaction.value("7", ofHeader: "gre") == "7")
        #expect(HeaderRedaction.secrets.value("7", ofHeader: "éauth") == "7")
    }

    @Test("A password may have an at sign in it")
    func atSigns() {
        let shown = HeaderRedaction.secrets.value("https://user:p@ss@example.com/a@b", ofHeader: "Location")
        #expect(shown == "https://<redacted>@example.com/a@b")
    }

    @Test(
        "A form with a line feed at its end, as curl sends one from a file, is a form",
        arguments: ["\n", "\r\n", " \n\n"])
    func formFiles(ending: String) throws {
        var request = URLRequest(url: try url("https://example.com/"), method: .post)
        request.httpBody = Data("user=a&password=v4lue\(ending)".utf8)
        #expect(request.curl().contains("user=a&password=<redacted>") && !request.curl().contains("v4lue"))
    }

    @Test("Separators are bytes, whatever characters stand beside them")
    func separators() {
        let url = "https://user:pass@\u{301}host/?\u{301}&token=\u{301}secret&\u{301}b=c#\u{301}&sid=\u{301}7"
        let shown = "https://<redacted>@\u{301}host/?\u{301}&token=<redacted>&\u{301}b=c#\u{301}&sid=<redacted>"
        #expect(HeaderRedaction.secrets.value(url, ofHeader: "Location") == shown)
    }

    @Test(
        "A route in a fragment has a query of its own",
        arguments: [
            ("/callback?code=s&state=x", "/callback?code=<redacted>&state=x"),
            ("/a;id=1?sid=s", "/a;id=1?sid=<redacted>"), ("!/a/b?page=2", "!/a/b?page=2"), ("a?", "a?"),
            ("token=a?b&c=d", "token=<redacted>&c=d"), ("a=b&token=c?d=e", "a=b&token=<redacted>"),
            ("state=a?code=s", "state=a?code=<redacted>"), ("a=b?c=d?sid=e?f", "a=b?c=d?sid=<redacted>"),
            ("/r?next=/b?token=s&e=f", "/r?next=/b?token=<redacted>&e=f"),
        ])
    func routes(fragment: String, shown: String) {
        let url = "https://app.example/#"
        #expect(HeaderRedaction.secrets.value(url + fragment, ofHeader: "Location") == url + shown)
    }

    @Test(
        "Percent-encoded, a URL or JSON with a secret isn't shown, in a query or a form",
        arguments: [
            ("/login?next=%2Freset%3Ftoken%3Ds&b=c", "/login?next=<redacted>&b=c"),
            ("/login?next=%2Fa%3Fb%3D1%26code%3Ds#d", "/login?next=<redacted>#d"),
            ("/a#/b?u=https%3A%2F%2Fx%23access_token%3Ds", "/a#/b?u=<redacted>"),
            ("/a?u=https%3A%2F%2Fuser%3As%40x%2F", "/a?u=<redacted>"), ("/a?u=%2Fb%3Bjsessionid=s", "/a?u=<redacted>"),
            ("/a?u=%2Fb%3Fv%3D%252Fc%253Ftoken%253Ds", "/a?u=<redacted>"),
            ("/a?u=/b?v=%2Fc%3Ftoken%3Ds&w=1", "/a?u=/b?v=<redacted>&w=1"),
            // As it is encoded where a question mark needn't be.
            ("/login?u=https://x/b?code%3Ds&c=d", "/login?u=<redacted>&c=d"),
            ("/a?u=/b?v%3Dx%26code%3Ds", "/a?u=<redacted>"), ("/a?u=/b?x?code%3Ds", "/a?u=<redacted>"),
            ("/a?u=https://user:s@x/", "/a?u=<redacted>"), ("/a?u=/b;sid=s/?c", "/a?u=<redacted>"),
            ("/a?u=/b?page%3D2&v=x@y", "/a?u=/b?page%3D2&v=x@y"),
            // JSON.
            ("/a?p=%7B%22token%22%3A%22s%22%7D&b=c", "/a?p=<redacted>&b=c"),
            ("/a?p=%7B%22b%22%3A%5B%7B%22otp%22%3A+1%7D%5D%7D", "/a?p=<redacted>"),
            ("/a?p={%22token%22:%22s%22}&b=c", "/a?p=<redacted>&b=c"),
            ("/a?p=%257B%2522token%2522%253A%2522s%2522%257D", "/a?p=<redacted>"),
            ("/a?p=%7B%22page%22%3A%22token%22%7D", "/a?p=%7B%22page%22%3A%22token%22%7D"),
            ("/a?u=%2Fb%3Fpage%3D2%26pageToken%3D3", "/a?u=%2Fb%3Fpage%3D2%26pageToken%3D3"),
            ("/a?q=token%3D1&r=50%25&s=%ZZ&t=%FF&u=a%40b", "/a?q=token%3D1&r=50%25&s=%ZZ&t=%FF&u=a%40b"),
        ])
    func nested(target: String, shown: String) throws {
        let url = "https://app.example"
        #expect(HeaderRedaction.secrets.value(url + target, ofHeader: "Location") == url + shown)
        #expect(HeaderRedaction.none.value(url + target, ofHeader: "Location") == url + target)
        guard let query = target.split(separator: "?", maxSplits: 1).last, !target.contains("#") else { return }
        var form = URLRequest(url: try PiuPiuTests.url("https://app.example"), method: .post)
        form.httpBody = Data(query.utf8)
        form.setValue(URLEncodedForm.contentType, forHTTPHeaderField: "Content-Type")
        #expect(form.curl().contains(shown.split(separator: "?", maxSplits: 1).last ?? ""), "\(form.curl())")
    }

    @Test(
        "A secret parameter of a path isn't shown",
        arguments: [
            ("/app;jsessionid=s", "/app;jsessionid=<redacted>"),
            ("/a;sid=s;v=2/b;x;token=s;/c?d=;e", "/a;sid=<redacted>;v=2/b;x;token=<redacted>;/c?d=;e"),
            ("/token=1;a=2/key=3", "/token=1;a=2/key=3"), ("/;/;;=", "/;/;;="),
        ])
    func parameters(path: String, shown: String) throws {
        let text = "https://app.example" + path, request = URLRequest(url: try url(text))
        #expect(HeaderRedaction.secrets.value(text, ofHeader: "Location") == "https://app.example" + shown)
        #expect(HeaderRedaction.none.value(text, ofHeader: "Location") == text)
        #expect(request.curl().contains("'https://app.example\(shown)'"))
        let error = TransferError(.timedOut, url: request.url).localizedDescription
        #expect(error.contains("https://app.example" + shown.prefix { $0 != "?" }), "\(error)")
    }

    /// The texts of requests that have the value `v4lue` for a name.
    private func texts(of name: String, _ redaction: HeaderRedaction = .secrets) throws -> [String] {
        var components = try #require(URLComponents(string: "https://example.com/"))
        components.queryItems = [URLQueryItem(name: name, value: "v4lue"), URLQueryItem(name: "b", value: "c")]
        let query = URLRequest(url: try #require(components.url))
        components.percentEncodedFragment = components.percentEncodedQuery
        components.query = nil
        var form = URLRequest(url: try url("https://example.com/"), method: .post)
        form.setFormBody([name: "v4lue", "b": "c"])
        var json = URLRequest(url: try url("https://example.com/"), method: .post)
        try json.setJSONBody(jsonObject: ["outer": [[name: "v4lue", "b": "c"]]])
        return [query, URLRequest(url: try #require(components.url)), form, json].flatMap { request in
            let response = Response.makeMockResponse(with: request, data: request.httpBody, statusCode: .ok)
            return [
                request.curl(redacting: redaction), response.makeRequestMarkdown(redacting: redaction),
            ]
                + (request.httpBody == nil || request == form
                    ? [] : [response.makeResponseMarkdown(redacting: redaction)])
        }
    }
}
