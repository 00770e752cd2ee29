import Foundation

/// Which responses are stored, and which of their fields (rules STORE and FIELDS).
package enum StorageRules {
    /// Whether a response may be stored (RFC 9111, section 3), provided that its body is complete.
    package static func mayStore(_ head: TransferHead, directives: CacheDirectives, to question: CacheQuestion) -> Bool
    {
        // A partial response and the answer to a condition are not complete responses. A rejected credential is none to
        // the credential that replaces it.
        guard let status = head.status, status >= 200, ![206, 304, 401, 407].contains(status), !question.isPartial,
            !question.isConditional || status == 200, !question.directives.contains("no-store"),
            !question.hasBody || isPost(question), !head.hasLostBody, !head.endsWithConnection
        else { return false }
        guard !forbidsStoring(status, directives) else { return false }
        let isExplicit = directives.seconds("max-age") != .absent || head.value(for: "expires") != nil
        switch question.method {
        case "GET", "HEAD":
            return isExplicit || directives.contains("public") || directives.contains("private")
                || Freshness.isHeuristic(status)
        case "POST":
            // What a GET of the same URI would bring (RFC 9110, section 9.3.3).
            return status == 200 && isExplicit && question.uri(in: head, "content-location") == question.key.uri
        default:
            return false
        }
    }

    /// Whether its directives forbid to store a response. `no-store` beside `must-understand` is for caches that don't
    /// know the status (RFC 9111, section 5.2.2.3).
    static func forbidsStoring(_ status: Int, _ directives: CacheDirectives) -> Bool {
        directives.contains("must-understand") ? !Freshness.isUnderstood(status) : directives.contains("no-store")
    }

    /// Whether a response shows that the stored ones of its URI are out of date: not an error, which only shows that the
    /// server can't answer now, unless the resource is gone.
    package static func supersedes(_ status: Int) -> Bool {
        (200..<400).contains(status) || status == 404 || status == 410
    }

    private static func isPost(_ question: CacheQuestion) -> Bool { question.method == "POST" }

    /// The fields that belong to one connection or to a proxy (RFC 9111, section 3.1; RFC 9110, section 7.6.1).
    private static let ofOneHop: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization",
    ]

    /// The fields of a response that are stored, one line each: without those of one hop, those that `Connection` or a
    /// qualified `no-cache` names, and `Age`, which is computed.
    ///
    /// - Parameter directives: the directives of the response.
    package static func fields(_ head: TransferHead, directives: CacheDirectives) -> [(name: String, value: String)] {
        var left = ofOneHop
        left.insert("age")
        for value in head.values(for: "connection") {
            for name in value.split(separator: ",") {
                left.insert(name.trimmingCharacters(in: .whitespaces).lowercased())
            }
        }
        left.formUnion(directives.fieldNames("no-cache") ?? [])
        // A `Transfer-Encoding` overrides this length; without that field it would become effective (RFC 9112, section
        // 6.3).
        if head.value(for: "transfer-encoding") != nil { left.insert("content-length") }
        return head.fieldsWithCookieLines.filter { !left.contains($0.name.lowercased()) }
    }
}

extension HeadLines {
    package init(fields: [(name: String, value: String)]) {
        self.init()
        // A line feed would start another field.
        for (name, value) in fields { append(name: name.utf8, value: value.utf8.map { $0 == 0x0A ? 0x20 : $0 }) }
    }
}
