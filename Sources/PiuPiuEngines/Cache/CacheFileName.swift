/// The name of a cache file: hashes of the URI, the key and the variant, so that it reveals nothing about the contents.
///
/// `UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU-KKKKKKKKKKKKKKKK-VVVVVVVVVVVVVVVV.cache`, and `.update` for newer fields of the
/// same response.
struct CacheFileName: Hashable, Sendable {
    /// The common prefix of the names of all files of a URI.
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

    /// The name of a file found in the folder; `nil` if it isn't a cache file.
    init?(found name: String) {
        guard Self.isOne(name, ".cache") else { return nil }
        self.name = name
        uri = String(name.prefix(32))
        stem = String(name.prefix(49))
    }

    /// The name of the file with newer fields.
    var update: String { Self.update(of: name) }

    static func update(of name: String) -> String { "\(name.dropLast(6)).update" }

    /// The name of the file whose fields the file of this name updates; `nil` if that isn't an update.
    static func updated(by name: String) -> String? {
        isOne(name, ".update") ? "\(name.dropLast(7)).cache" : nil
    }

    /// Whether a name is three hashes and a suffix; without a regular expression, which is slow for many files.
    private static func isOne(_ name: String, _ suffix: String) -> Bool {
        guard name.utf8.count == 66 + suffix.utf8.count, name.hasSuffix(suffix) else { return false }
        return name.utf8.prefix(66).enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                index != 32 && index != 49
            case UInt8(ascii: "-"): index == 32 || index == 49
            default: false
            }
        }
    }

    static func uri(_ uri: String) -> String { String(SecureHash.hex(uri.utf8).prefix(32)) }

    static func stem(_ key: CacheKey) -> String { "\(uri(key.uri))-\(SecureHash.hex(key.text.utf8).prefix(16))" }
}
