import PiuPiu
import Testing

@Suite("SHA-256", .timeLimit(.minutes(10)))
struct SecureHashTests {
    @Test(
        "K10 STORAGE: the hashes for file names are those of FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
                    + "mnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
        ])
    func vectors(text: String, hash: String) {
        #expect(SecureHash.hex(text.utf8) == hash)
    }

    @Test("K10 STORAGE: a million bytes have the hash of FIPS 180-4")
    func million() {
        #expect(
            SecureHash.hex(repeatElement(UInt8(ascii: "a"), count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("K10 STORAGE: the hash is the same wherever the bytes are split, at any length")
    func chunks() {
        let bytes = (0..<150).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
        var hashes: Set<String> = []
        for length in 0...bytes.count {
            let whole = SecureHash.hex(bytes.prefix(length))
            hashes.insert(whole)
            for offset in 0...length {
                var hash = SecureHash()
                hash.update(bytes[..<offset])
                #expect(hash.finalize().count == 32)
                hash.update(bytes[offset..<length])
                #expect(SecureHash.hex(of: hash.finalize()) == whole, "\(length) bytes cut at \(offset)")
            }
        }
        #expect(hashes.count == bytes.count + 1)
    }
}
