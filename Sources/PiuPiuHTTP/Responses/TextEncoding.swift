import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The encoding of a text by the name of its charset, with the names and the meanings of browsers (WHATWG Encoding).
struct TextEncoding: Sendable, Equatable {
    /// The encoding, for an error.
    let encoding: String.Encoding

    private init(_ encoding: String.Encoding) {
        self.encoding = encoding
    }

    /// The encoding of a text. A byte order mark counts more than the charset; without a known one it is UTF-8.
    init(of data: Data, charset: String?) {
        let marked = Self.marks.first { data.starts(with: $0.mark) }?.encoding
        self.init(marked ?? charset.flatMap { Self.encodings[$0.lowercased()] } ?? .utf8)
    }

    /// The text, without a byte order mark; `nil` if the bytes are none in this encoding.
    func text(of data: Data) -> String? {
        let mark = Self.marks.first { $0.encoding == encoding && data.starts(with: $0.mark) }?.mark
        let data = data.dropFirst(mark?.count ?? 0)
        switch encoding {
        case .utf16LittleEndian, .utf16BigEndian:
            // Foundation drops half a unit.
            return data.count.isMultiple(of: 2) ? String(data: data, encoding: encoding) : nil
        case .windowsCP1252:
            // To Foundation some bytes mean nothing, to the standard each is a character.
            return String(data: data, encoding: encoding) ?? Self.latinText(of: data)
        default:
            return String(data: data, encoding: encoding)
        }
    }

    private static func latinText(of data: Data) -> String {
        var text = String.UnicodeScalarView()
        for byte in data { text.append(latin[Int(byte)]) }
        return String(text)
    }

    /// The characters of windows-1252, with a control character for each byte that Foundation has none for.
    private static let latin: [Unicode.Scalar] = (UInt8.min...UInt8.max).map { byte in
        String(data: Data([byte]), encoding: .windowsCP1252)?.unicodeScalars.first ?? Unicode.Scalar(byte)
    }

    private static let marks: [(mark: [UInt8], encoding: String.Encoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
    ]

    /// The encodings by their labels.
    private static let encodings: [String: String.Encoding] = labels.reduce(into: [:]) { table, entry in
        for label in entry.labels.split(separator: " ") { table[String(label)] = entry.encoding }
    }

    /// The labels of the standard for those encodings that Foundation has on every platform; on Linux it has no EUC-JP.
    private static let labels: [(encoding: String.Encoding, labels: String)] = [
        (.utf8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8"),
        (
            .windowsCP1252,
            """
            ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 \
            iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
            """
        ),
        (
            .isoLatin2,
            "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2"
        ),
        (.windowsCP1250, "cp1250 windows-1250 x-cp1250"),
        (.windowsCP1251, "cp1251 windows-1251 x-cp1251"),
        (.utf16LittleEndian, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le"),
        (.utf16BigEndian, "unicodefffe utf-16be"),
        (.shiftJIS, "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis"),
    ]
}

extension TransferHead {
    /// The charset of the `Content-Type`, or of a response without HTTP.
    var charset: String? {
        guard let field = values(for: "Content-Type").last else {
            return status == nil ? urlResponse.textEncodingName : nil
        }
        return MediaType(Array(field.utf8)[...])?.parameter("charset")
    }
}
