package import Foundation

extension String {
    /// The text in an encoding; `nil` if the encoding lacks a character of it.
    package func encoded(in encoding: Encoding) -> Data? {
        #if !canImport(Darwin)
            // For it, Foundation traps.
            guard encoding != .symbol else { return nil }
            // Foundation drops an invisible character that the encoding lacks; at the end of a text it never returns.
            guard encoding.isUnicode || !unicodeScalars.contains(where: { $0.isDropped(in: encoding) }) else {
                return nil
            }
            // Foundation's own table of it has wrong bytes, and traps for a ligature. This is Core Foundation's.
            if encoding == .macOSRoman { return NSString(string: self).data(using: encoding.rawValue) }
        #endif
        return data(using: encoding)
    }

    /// The text of bytes in an encoding; `nil` if they are none.
    package init?(_ data: Data, in encoding: Encoding) {
        #if !canImport(Darwin)
            // Foundation's own table of it has wrong characters.
            if encoding == .macOSRoman {
                guard let text = NSString(data: data, encoding: encoding.rawValue) else { return nil }
                self.init(text)
                return
            }
        #endif
        self.init(data: data, encoding: encoding)
    }
}

#if !canImport(Darwin)
    extension String.Encoding {
        /// Whether it surely has all characters.
        fileprivate var isUnicode: Bool {
            switch self {
            case .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian: true
            default: false
            }
        }
    }

    extension Unicode.Scalar {
        /// Whether Foundation drops it in silence. On its own it becomes no bytes then, at once.
        fileprivate func isDropped(in encoding: String.Encoding) -> Bool {
            properties.isDefaultIgnorableCodePoint && String(self).data(using: encoding)?.isEmpty != false
        }
    }
#endif
