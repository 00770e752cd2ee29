package import Foundation

/// Validating stored responses, and updating them from the server's answer (rule VALIDATE; RFC 9111, section 4.3).
extension StoredResponse {
    /// The conditional header fields that validate these responses: their entity tags, and the date of the chosen one.
    package static func conditions(
        chosen: StoredResponse?, all: [StoredResponse]
    ) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        let tags = all.compactMap(\.entityTag)
        if !tags.isEmpty { fields.append(("If-None-Match", tags.joined(separator: ", "))) }
        if let date = chosen?.lastModifiedText { fields.append(("If-Modified-Since", date)) }
        return fields
    }

    /// The responses to ask about if a request selects none of these: the newest of each entity tag, and only a few,
    /// because servers refuse a long head.
    package static func toValidate(of stored: [StoredResponse]) -> [StoredResponse] {
        var tags: Set<String> = [], length = 0
        let newest = stored.sorted { ($0.date, $0.responseTime) > ($1.date, $1.responseTime) }
        return newest.filter { response in
            guard let tag = response.entityTag, tags.count < 8, !tags.contains(tag) else { return false }
            let longer = length + tag.utf8.count + (tags.isEmpty ? 0 : 2)
            guard longer <= 2_048 else { return false }
            tags.insert(tag)
            length = longer
            return true
        }
    }

    /// The response that a 304 validates: by a strong validator, or else by a weak one; without any, the chosen one
    /// (RFC 9111, section 4.3.4).
    package static func selected(
        by head: TransferHead, chosen: StoredResponse?, from all: [StoredResponse]
    ) -> StoredResponse? {
        func newest(_ matches: (StoredResponse) -> Bool) -> StoredResponse? {
            all.filter(matches).max { ($0.date, $0.responseTime) < ($1.date, $1.responseTime) }
        }
        if let tag = head.values(for: "etag").first.map(EntityTag.init) {
            let same = newest { $0.entityTag.map(EntityTag.init)?.isStronglyEqual(to: tag) == true }
            return same ?? newest { $0.entityTag.map(EntityTag.init)?.opaque == tag.opaque }
        }
        if let date = head.values(for: "last-modified").first {
            return newest { $0.lastModifiedText == date }
        }
        return chosen ?? (all.count == 1 ? all[0] : nil)
    }

    /// Whether the head of a response to HEAD matches this response (RFC 9111, section 4.3.5).
    package func isDescribed(by head: TransferHead) -> Bool {
        func agrees(_ name: String) -> Bool {
            guard let old = lines.values(for: name).first, let new = head.values(for: name).first else { return true }
            return old == new
        }
        return head.status == status && agrees("etag") && agrees("last-modified") && agrees("content-length")
    }

    /// The fields that describe the coding and the range of the body: they are never updated (RFC 9111, section 3.2).
    private static let ofBody: Set<String> = [
        "content-encoding", "content-type", "content-range", "content-length",
    ]

    /// This response with the fields of a newer head (RFC 9111, section 3.2).
    ///
    /// - Parameter variant: the variant of the request that was answered.
    package func updated(
        by head: TransferHead, variant: CacheVariant, requestTime: TimeInterval, responseTime: TimeInterval
    ) -> StoredResponse {
        let control = head.values(for: "cache-control")
        let directives = control.isEmpty ? directives : CacheDirectives(control)
        let new = StorageRules.fields(head, directives: directives).filter {
            !Self.ofBody.contains($0.name.lowercased())
        }
        // A head without a date counts as created when it arrived.
        let replaced = Set(new.map { $0.name.lowercased() }).union(["date"])
            .union(directives.fieldNames("no-cache") ?? [])
        let kept = lines.fields.filter { !replaced.contains($0.name.lowercased()) }
        return StoredResponse(
            key: key, variant: variant, status: status, version: version, lines: HeadLines(fields: kept + new),
            age: AgeField.age(head.values(for: "age")) ?? 0, requestTime: requestTime, responseTime: responseTime,
            body: body)
    }

    /// The head to serve, with its age (rule AGE).
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - newCookies: the values of `Set-Cookie` that the server has just sent.
    package func head(url: URL, at now: TimeInterval, newCookies: [String] = []) -> TransferHead {
        var lines = lines
        if !newCookies.isEmpty {
            // A `no-cache` that names the field keeps it out of the stored lines.
            let others = lines.fields.filter { $0.name.lowercased() != "set-cookie" }
            lines = HeadLines(fields: others + newCookies.map { (name: "Set-Cookie", value: $0) })
        }
        lines.append(name: "Age".utf8, value: "\(Int64(min(age(at: now), 2_147_483_648)))".utf8)
        var head = TransferHead(url: url, status: status, version: version, lines: lines)
        head.setsCookies = !newCookies.isEmpty
        return head
    }
}

/// An entity tag (RFC 9110, section 8.8.3), valid or not.
private struct EntityTag {
    let isWeak: Bool
    let opaque: Substring

    init(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        isWeak = text.hasPrefix("W/")
        opaque = text.dropFirst(isWeak ? 2 : 0)
    }

    func isStronglyEqual(to other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }
}

extension TransferHead {
    /// The stored response that the server has validated with a 304.
    var validated: StoredResponse? {
        get { validatedObject as? StoredResponse }
        set { validatedObject = newValue }
    }
}
