public import Foundation
public import PiuPiu

/// A request with a form as its body: texts, and optionally a file.
///
/// ```swift
/// var request = MultiPartRequest(method: .post, path: "/photos")
/// request.setHTTPBody(file: jpeg, fileName: "beach.jpg", mimeType: "image/jpeg", parameters: ["title": "Beach"])
/// ```
///
/// The body is a `PiuPiu.MultipartForm`: the texts in the order of their names, then the file. Names are escaped as in
/// browsers.
public struct MultiPartRequest: Request {
    /// The method.
    public var method: HTTPMethod
    /// The path, which begins with a slash.
    public var path: String
    /// The items of the query.
    public var queryItems: [URLQueryItem] = []
    /// The headers; `setHTTPBody` sets the Content-Type and the Content-Length.
    public var headers: [String: String] = [:]
    /// The body.
    public var httpBody: Data?

    /// Makes a request without a body.
    public init(method: HTTPMethod, path: String) {
        self.method = method
        self.path = path
    }

    /// Sets the body to texts and a file, with a new boundary for each call.
    ///
    /// - Parameters:
    ///   - file: the content of the file.
    ///   - fileFieldName: the name of its field.
    ///   - fileName: the name that the server gets.
    ///   - mimeType: the type of the file; `application/octet-stream` replaces a type with a control character.
    ///   - parameters: the texts, by the names of their fields.
    public mutating func setHTTPBody(
        file: Data, fileFieldName: String = "file", fileName: String, mimeType: String,
        parameters: [String: String] = [:]
    ) {
        let texts = MultipartForm(parameters: parameters)
        var form = texts
        form.append(data: file, forName: fileFieldName, fileName: fileName, contentType: mimeType)
        if setHTTPBody(form) { return }
        form = texts
        form.append(data: file, forName: fileFieldName, fileName: fileName)
        setHTTPBody(form)
    }

    /// Sets the body to texts, with a new boundary for each call.
    ///
    /// - Parameter parameters: the texts, by the names of their fields.
    public mutating func setHTTPBody(parameters: [String: String]) {
        setHTTPBody(MultipartForm(parameters: parameters))
    }

    /// Sets the body to a form. It fails only because of a Content-Type.
    @discardableResult
    private mutating func setHTTPBody(_ form: MultipartForm) -> Bool {
        guard let data = try? form.data() else { return false }
        httpBody = data
        // Another spelling of the same name might be the one that is sent.
        headers = headers.filter { !["content-length", "content-type"].contains($0.key.lowercased()) }
        headers["Content-Length"] = String(data.count)
        headers["Content-Type"] = form.contentType
        return true
    }
}

extension MultipartForm {
    fileprivate init(parameters: [String: String]) {
        self.init()
        for (name, text) in parameters.sorted(by: { $0.key < $1.key }) { append(text: text, forName: name) }
    }
}
