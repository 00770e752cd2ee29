#if canImport(FoundationNetworking)
    package import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLRequest {
    /// The request, corrected or refused where `URLSession` would drop, misread or trap on a part of it.
    ///
    /// Corrections:
    /// - The scheme is in lower case.
    /// - A Content-Length or a Transfer-Encoding set by the caller is removed. The length of the body counts, a
    ///   streamed body has none, and a server would wait for ever for chunks that aren't sent.
    /// - `timeoutInterval` is a whole number of seconds from 1 to 1e9; NaN, zero and negative numbers become the
    ///   default of 60.
    ///
    /// The host is not checked further: `http://[::1]/` passes here, but `URLSession` refuses it on Linux.
    ///
    /// - Parameter allowsOtherSchemes: whether a scheme that isn't HTTP's passes, for a `URLProtocol`. It is asked only
    ///   about such a request.
    /// - Throws: ``InvalidRequestError`` for the first fault that can't be corrected: the URL, its scheme, its host,
    ///   the method, then the headers in the order of their names.
    package func validated(
        allowsOtherSchemes: @autoclosure () -> Bool = false
    ) throws(InvalidRequestError) -> URLRequest {
        try corrected(allowsOtherSchemes: allowsOtherSchemes()) ?? self
    }

    /// The same; `nil` if nothing has to be corrected, as even a change to the same value copies the whole request.
    package func corrected(
        allowsOtherSchemes: @autoclosure () -> Bool
    ) throws(InvalidRequestError) -> URLRequest? {
        guard let url else { throw .missingURL }
        var corrected: URLRequest?
        func correct(_ change: (inout URLRequest) -> Void) {
            var request = corrected ?? self
            change(&request)
            corrected = request
        }
        if !url.hasOtherScheme || !allowsOtherSchemes() {
            if let validURL = try url.validatedForHTTP() { correct { $0.url = validURL } }
        }
        if let method = httpMethod, !method.utf8.isHTTPToken { throw .invalidMethod(method, url: url) }
        // Sorted, so that the error always names the same one of several wrong headers.
        for (name, value) in allHTTPHeaderFields?.sorted(by: { $0.key < $1.key }) ?? [] {
            try InvalidRequestError.check(header: name, value, url: url)
            if Self.headersOfTheBody.contains(name.lowercased()) {
                correct { $0.setValue(nil, forHTTPHeaderField: name) }
            }
        }
        let timeout = timeoutInterval, validTimeout = timeout.normalizedTimeout
        if validTimeout != timeout { correct { $0.timeoutInterval = validTimeout } }
        return corrected
    }

    /// The engine decides how a body is sent.
    static let headersOfTheBody: Set<String> = ["content-length", "transfer-encoding"]
}

extension InvalidRequestError {
    /// Checks a header before Foundation gets it, as Foundation silently drops some that can't be sent.
    package static func check(header name: String, _ value: String, url: URL) throws(InvalidRequestError) {
        guard name.utf8.isHTTPToken else { throw .invalidHeaderName(name, url: url) }
        guard value.isFieldValue else { throw .invalidHeaderValue(name: name, url: url) }
    }
}

extension URL {
    /// Whether its scheme isn't HTTP's.
    fileprivate var hasOtherScheme: Bool {
        guard !isPlainlyWeb, let scheme = scheme?.lowercased(), !scheme.isEmpty else { return false }
        return scheme != "http" && scheme != "https"
    }

    /// The URL with its scheme in lower case; `nil` if it already is.
    fileprivate func validatedForHTTP() throws(InvalidRequestError) -> URL? {
        guard !hasPlainOrigin else { return nil }
        guard let scheme, !scheme.isEmpty else { throw .missingScheme(url: self) }
        let lowercased = scheme.lowercased()
        guard lowercased == "http" || lowercased == "https" else { throw .unsupportedScheme(scheme, url: self) }
        guard let host = host(), !host.isEmpty else { throw .missingHost(url: self) }
        guard scheme != lowercased else { return nil }
        var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        components?.scheme = lowercased
        guard let url = components?.url else { throw .unsupportedScheme(scheme, url: self) }
        return url
    }
}

extension String {
    /// Whether the text has no control character except the tab. By scalars, as CR LF is one character.
    package var isFieldValue: Bool {
        unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control }
    }
}

extension TimeInterval {
    /// A whole number of seconds from 1 to 1e9; the default of 60 for NaN, zero and negative numbers.
    package var normalizedTimeout: TimeInterval {
        guard self > 0 else { return 60 }
        return min(max(rounded(.up), 1), 1e9)
    }
}
