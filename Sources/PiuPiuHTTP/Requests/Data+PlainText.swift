import Foundation

extension Data {
    /// The text, if the bytes are plain text in UTF-8. Other control characters than line breaks and tabs are excluded:
    /// a terminal might obey them, and a shell can't pass on all of them.
    var plainText: String? {
        guard let text = String(validating: self, as: UTF8.self), !text.hasBinaryCharacters else { return nil }
        return text
    }
}

extension String {
    // By bytes, as bodies are long and properties of scalars slow.
    fileprivate var hasBinaryCharacters: Bool {
        var previous: UInt8 = 0
        for byte in utf8 {
            switch byte {
            case 0x09, 0x0A, 0x0C, 0x0D: break
            case 0..<0x20, 0x7F: return true
            case 0x80...0x9F where previous == 0xC2: return true  // U+0080 to U+009F
            default: break
            }
            previous = byte
        }
        return false
    }
}
