public import Foundation
import PiuPiu

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ResponseInterface where T == Data? {
    /// Prints the request and the response.
    public func debug() {
        printRequest()
        printResponse()
    }

    /// Prints the request without secrets, such as credentials.
    public func printRequest() {
        print(requestText)
    }

    /// Prints the response without secrets, such as cookies.
    public func printResponse() {
        print(responseText)
    }

    package var requestText: String {
        let start = "REQUEST [\(urlRequest.httpMethod ?? "GET")] \(urlRequest.url?.text(redacting: .secrets) ?? "")"
        return text(start, headers: urlRequest.allHTTPHeaderFields ?? [:], body: urlRequest.httpBody, for: .requestText)
    }

    package var responseText: String {
        let start = "RESPONSE [\(statusCode.rawValue)] \(httpResponse.url?.text(redacting: .secrets) ?? "")"
        let headers = httpResponse.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        return text(start, headers: Dictionary(headers) { _, last in last }, body: data, for: .responseText)
    }

    private func text(
        _ start: String, headers: [String: String], body: Data?, for purpose: SecretBody.Purpose
    ) -> String {
        var lines = [start]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            lines.append("\(name): \(HeaderRedaction.secrets.value(value, ofHeader: name))")
        }
        if let body {
            let contentType = headers.first { $0.key.lowercased() == "content-type" }?.value
            let text = String(bytes: body, encoding: .utf8)
            lines.append(
                text.map { SecretBody.redacted($0, contentType: contentType, by: .secrets, for: purpose) }
                    ?? "\(body.count) bytes")
        }
        // A terminal would carry out the control characters of a server.
        return lines.joined(separator: "\n").escapingAllControlCharacters(except: "\n\t")
    }
}
