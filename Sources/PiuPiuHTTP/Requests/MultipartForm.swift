public import Foundation

/// A form in the format `multipart/form-data` (RFC 7578): texts, data and files, in order.
///
/// ```swift
/// var form = MultipartForm()
/// form.append(text: "On the beach", forName: "title")
/// form.append(file: photo, forName: "photo", contentType: "image/jpeg")
/// let response = try await dispatcher.uploadFuture(from: request, withForm: form).value
/// ```
///
/// It reads no file before it is sent. Texts are sent unchanged in UTF-8, including line breaks. Names and file names
/// are escaped by the rules of the WHATWG HTML standard: a quotation mark is `%22`, CR is `%0D` and LF is `%0A`.
/// Everything else is sent in UTF-8, as in browsers.
public struct MultipartForm: Sendable {
    /// The delimiter between the parts.
    public let boundary: String

    private(set) var parts: [MultipartPart] = []

    /// Whether the caller chose the boundary; a random one occurs nowhere else.
    let isBoundaryChosen: Bool

    /// Makes an empty form with a random boundary.
    public init() {
        boundary = "PiuPiu-" + UUID().uuidString
        isBoundaryChosen = false
    }

    /// Makes an empty form with your own boundary, for example for a test that compares bytes.
    ///
    /// - Parameter boundary: must not occur in the content after two hyphens. This is checked when the body is made, in
    ///   texts and data, but not in files.
    /// - Throws: ``MultipartFormError/invalidBoundary(_:)`` unless it has 1 to 70 of the characters that RFC 2046
    ///   allows: letters, digits, `'()+_,-./:=?` and spaces, but no space at the end.
    public init(boundary: String) throws(MultipartFormError) {
        let isValid = boundary.utf8.allSatisfy {
            PercentEncoding.isLetterOrDigit($0) || "'()+_,-./:=? ".utf8.contains($0)
        }
        guard isValid, 1...70 ~= boundary.utf8.count, !boundary.hasSuffix(" ") else {
            throw .invalidBoundary(boundary)
        }
        self.boundary = boundary
        isBoundaryChosen = true
    }

    /// The value of the Content-Type header: `multipart/form-data` with the boundary.
    public var contentType: String {
        let isToken = boundary.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "'+".utf8.contains($0) }
        return "multipart/form-data; boundary=" + (isToken ? boundary : "\"\(boundary)\"")
    }

    /// Adds a text.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - name: the name of the field, which may occur several times.
    public mutating func append(text: String, forName name: String) {
        parts.append(MultipartPart(name: name, content: .data(Data(text.utf8))))
    }

    /// Adds data.
    ///
    /// - Parameters:
    ///   - data: the data.
    ///   - name: the name of the field.
    ///   - fileName: the name of the file that the data is sent as; `nil` for none.
    ///   - contentType: the type of the data.
    public mutating func append(
        data: Data, forName name: String, fileName: String? = nil, contentType: String = "application/octet-stream"
    ) {
        parts.append(
            MultipartPart(name: name, fileName: fileName, contentType: contentType, content: .data(data)))
    }

    /// Adds the content of a regular file. It is read while it is sent, and must not change meanwhile.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - name: the name of the field.
    ///   - fileName: the name that the server gets; `nil` for that of the file, without its folder.
    ///   - contentType: the type of the file.
    public mutating func append(
        file: URL, forName name: String, fileName: String? = nil, contentType: String = "application/octet-stream"
    ) {
        parts.append(
            MultipartPart(
                name: name, fileName: fileName ?? file.lastPathComponent, contentType: contentType,
                content: .file(file)))
    }
}
