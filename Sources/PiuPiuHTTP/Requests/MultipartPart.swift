import Foundation

/// A part of a multipart form.
struct MultipartPart: Sendable {
    /// The content of the part.
    enum Content: Sendable {
        case data(Data)
        case file(URL)
    }

    let name: String
    var fileName: String?
    var contentType: String?
    let content: Content

    /// The headers, up to the empty line.
    var head: String {
        var disposition = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let fileName { disposition += "; filename=\"\(Self.escaped(fileName))\"" }
        let type = contentType.map { "Content-Type: \($0)\r\n" } ?? ""
        return disposition + "\r\n" + type + "\r\n"
    }

    /// Byte by byte: CR LF is one character.
    private static func escaped(_ name: String) -> String {
        PercentEncoding.encoded(name.utf8) { ![0x22, 0x0D, 0x0A].contains($0) }
    }
}
