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
        print("REQUEST [\(urlRequest.httpMethod ?? "GET")] \(urlRequest.url?.text(redacting: .secrets) ?? "")")
        printParts(headers: urlRequest.allHTTPHeaderFields ?? [:], body: urlRequest.httpBody, for: .requestText)
    }

    /// Prints the response without secrets, such as cookies.
    public func printResponse() {
        print("RESPONSE [\(statusCode.rawValue)] \(httpResponse.url?.text(redacting: .secrets) ?? "")")
        let headers = httpResponse.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        printParts(headers: Dictionary(headers) { _, last in last }, body: data, for: .responseText)
    }

    private func printParts(headers: [String: String], body: Data?, for purpose: SecretBody.Purpose) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            print("\(name): \(HeaderRedaction.secrets.value(value, ofHeader: name))")
        }
        guard let body else { return }
        let contentType = headers.first { $0.key.lowercased() == "content-type" }?.value
        let text = String(bytes: body, encoding: .utf8)
        print(
            text.map { SecretBody.redacted($0, contentType: contentType, by: .secrets, for: purpose) }
                ?? "\(body.count) bytes")
    }
}
