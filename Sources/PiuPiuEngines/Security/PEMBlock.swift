package import Foundation

/// A block of PEM (RFC 7468): the text between a line `-----BEGIN …-----` and its end.
package struct PEMBlock {
    /// Its type, such as "CERTIFICATE".
    package let label: String

    /// The block with its first and its last line.
    package let text: String

    /// The bytes; `nil` if they are no base64.
    package let content: Data?

    /// Whether there are header lines before the base64, which older programs write for keys.
    let hasHeaders: Bool

    /// The blocks of a text, with any text between them. A block without its end doesn't count.
    package static func all(in text: String) -> [PEMBlock] {
        var blocks: [PEMBlock] = []
        var open: (label: String, lines: [Substring])?
        for line in text.split(whereSeparator: \.isNewline) {
            if let label = label(of: line, after: "-----BEGIN ") {
                open = (label, [])
            } else if let label = label(of: line, after: "-----END ") {
                if let block = open.take(), block.label == label { blocks.append(PEMBlock(label, block.lines)) }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    private static func label(of line: Substring, after start: String) -> String? {
        let line = line.trimmingCharacters(in: .whitespaces)
        guard line.hasPrefix(start), line.hasSuffix("-----"), line.count > start.count + 5 else { return nil }
        return String(line.dropFirst(start.count).dropLast(5))
    }

    private init(_ label: String, _ lines: [Substring]) {
        self.label = label
        let headers = lines.prefix { $0.contains(":") }
        hasHeaders = !headers.isEmpty
        let base64 = lines.dropFirst(headers.count).map { $0.trimmingCharacters(in: .whitespaces) }
        content = Data(base64Encoded: base64.joined())
        // An empty line ends the headers.
        let body = headers.map(String.init) + (headers.isEmpty ? [] : [""]) + base64
        text = (["-----BEGIN \(label)-----"] + body + ["-----END \(label)-----", ""]).joined(separator: "\n")
    }

    /// A block with these bytes.
    static func text(_ label: String, _ content: Data) -> String {
        let base64 = content.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
    }

    /// Whether it holds a certificate.
    var isCertificate: Bool { label == "CERTIFICATE" || label == "X509 CERTIFICATE" }

    /// Whether it holds a private key.
    var isPrivateKey: Bool { label == "PRIVATE KEY" || label.hasSuffix(" PRIVATE KEY") }

    /// Whether the private key is encrypted.
    var isEncrypted: Bool { label == "ENCRYPTED PRIVATE KEY" || text.contains("\nProc-Type: 4,ENCRYPTED") }
}
