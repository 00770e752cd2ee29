/// The name of a file of a cache: hashes, so that it tells nothing of what is in it, of the URI, of the key and of the variant.
///
/// `UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU-KKKKKKKKKKKKKKKK-VVVVVVVVVVVVVVVV.cache`, and `.update` for newer fields of the same
/// response.
struct CacheFileName: Hashable, Sendable {
    /// What the names of all files of a URI begin with.
    let uri: String
    /// The same for a key.
    let stem: String
    let name: String

    init(_ response: StoredResponse) {
        uri = Self.uri(response.key.uri)
        stem = Self.stem(response.key)
        let variant = response.variant.names.joined(separator: ",") + "\n" + response.variant.digest
        name = "\(stem)-\(SecureHash.hex(variant.utf8).prefix(16)).cache"
    }

    /// The name of a file that was found; `nil` for one that is none of a cache's.
    init?(found name: String) {
        let isOne = name.wholeMatch(of: /[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{16}\.cache/) != nil
        guard isOne else { return nil }
        self.name = name
        uri = String(name.prefix(32))
        stem = String(name.prefix(49))
    }

    /// The name of the file with newer fields.
    var update: String { Self.update(of: name) }

    static func update(of name: String) -> String { "\(name.dropLast(6)).update" }

    /// The name of the file whose fields the one of this name renews; `nil` if it isn't one of those.
    static func updated(by name: String) -> String? {
        let isOne = name.wholeMatch(of: /[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{16}\.update/) != nil
        return isOne ? "\(name.dropLast(7)).cache" : nil
    }

    static func uri(_ uri: String) -> String { String(SecureHash.hex(uri.utf8).prefix(32)) }

    static func stem(_ key: CacheKey) -> String { "\(uri(key.uri))-\(SecureHash.hex(key.text.utf8).prefix(16))" }
}
