public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseInterface {
    /// The links of the response, from all of its `Link` fields, in order (RFC 8288).
    ///
    /// ```swift
    /// let languages = response.links.filter { $0.relations.contains("alternate") }
    /// ```
    ///
    /// Relative ones are resolved against the URL of the response. A malformed link is left out, and the others are
    /// there. The fields are parsed with each call.
    public var links: [LinkField] {
        LinkField.links(of: head.values(for: "Link"), relativeTo: head.url ?? urlRequest.url)
    }

    /// The URL of the first link with this relation, such as "next"; `nil` if there is none.
    ///
    /// ```swift
    /// let last = response.link("last")
    /// ```
    ///
    /// Links of another document, by an `anchor`, don't count (RFC 8288, section 3.2).
    ///
    /// - Parameter relation: one relation, in any case.
    public func link(_ relation: String) -> URL? {
        let relation = relation.lowercased(), base = head.url ?? urlRequest.url
        return links.first { link in
            guard link.relations.contains(relation) else { return false }
            guard let anchor = link.parameters["anchor"], !anchor.isEmpty else { return true }
            return URL(location: anchor, relativeTo: base)?.absoluteString == base?.absoluteString
        }?.url
    }

    /// The type of the body, from the `Content-Type`; `nil` if there is none, or no valid one.
    ///
    /// ```swift
    /// let isText = response.contentType?.type.hasPrefix("text/") == true
    /// ```
    ///
    /// Parsed as in browsers: malformed parameters are ignored, and of several fields the last counts.
    public var contentType: ContentTypeField? {
        head.values(for: "Content-Type").last.flatMap { MediaType(Array($0.utf8)[...]) }.map { ContentTypeField($0) }
    }
}
