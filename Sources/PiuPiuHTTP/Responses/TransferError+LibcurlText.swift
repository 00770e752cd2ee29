import Foundation

/// The kind of a failure by libcurl's English text: the only place that parses it. A test causes each of these failures
/// with the installed library.
extension TransferError.Kind {
    /// The kind of a failure that has only a text: `URLSession` on Linux gives no code.
    init(libcurlText text: String) {
        let text = text.lowercased()
        func mentions(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        self =
            if mentions("bytes remaining", "bytes missing", "outstanding read data") {
                .truncated
            } else if mentions("connection died") {
                // libcurl sent the request on several connections, and the server closed each.
                .connectionLost
            } else if mentions("ssl", "tls", "certificate") {
                // Such a text, unlike libcurl's number, may also be of a break after the handshake: then a server may
                // have got the request.
                Self.ofHandshake(text: text) == .cannotConnect && !mentions("ssl_connect", "tls connect error")
                    ? .secureConnectionFailed : Self.ofHandshake(text: text)
            } else if mentions("chunk", "header", "http/", "encoding", "content-length") {
                .badResponse
            } else {
                .other
            }
    }

    /// The kind of a broken connection, if the text says more than the code: a malformed chunk or head, or a client
    /// certificate that the server refuses, in TLS 1.3 after the handshake.
    package static func ofBreak(text: String) -> Self {
        // A proxy has answered, and refuses this client.
        if text.contains("CONNECT") { return .cannotConnect }
        if text.contains("chunk") || text.contains("header") { return .badResponse }
        // A server may also answer a request after its alert with a reset: that is a lost connection.
        guard text.contains("alert") else { return .connectionLost }
        return ofHandshake(text: text)
    }

    /// The kind of a handshake that failed.
    package static func ofHandshake(text: String) -> Self {
        let whole = text.lowercased()
        // The words below may be in a host's name, too, which stands at the end of a text or after "target host".
        let text = whole.firstRange(of: " in connection to ").map { whole[..<$0.lowerBound] } ?? whole[...]
        func mentions(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if mentions("target host") { return .wrongHost }
        // An alert comes from the server: if it is about a certificate, it means ours (RFC 8446, section 6.2).
        if text.contains("alert") {
            if mentions("certificate required") { return .clientCertificateRequired }
            return mentions("certificate", "unknown ca", "access denied")
                ? .clientCertificateRefused : .secureConnectionFailed
        }
        // The connection broke before anything was sent. The zeros are an error of which the TLS library knows nothing.
        let isBroken = mentions(
            "reset by peer", "broken pipe", "connection timed out", "unreachable", "no route to host",
            "connection abort", "ssl_error_syscall", "unexpected eof", "error:00000000", "non-properly terminated",
            "pull function", "push function")
        if isBroken { return .cannotConnect }
        if mentions("has expired", "not yet valid") { return .certificateExpired }
        // The alert for our expired certificate. A fault of the server's certificate has another text.
        if mentions("ssl certificate verification failed") { return .clientCertificateRefused }
        let isUntrusted = mentions("issuer", "self-signed", "self signed", "verification failed")
        return isUntrusted ? .untrustedAuthority : .secureConnectionFailed
    }
}
