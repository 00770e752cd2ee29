import Foundation

/// What can be known of a failure from libcurl's English words alone; the one place that reads them. A test makes each
/// of these failures with the library at hand.
extension TransferError.Kind {
    /// The kind of a failure of which nothing but the text has survived: `URLSession` on Linux gives no code.
    init(libcurlText text: String) {
        let text = text.lowercased()
        func mentions(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        self =
            if mentions("bytes remaining", "outstanding read data") {
                .truncated
            } else if mentions("connection died") {
                // libcurl sent the request on several connections, and the server closed each.
                .connectionLost
            } else if mentions("ssl", "tls", "certificate") {
                Self.ofHandshake(text: text)
            } else if mentions("chunk", "header", "http/", "encoding", "content-length") {
                .badResponse
            } else {
                .other
            }
    }

    /// The kind of a connection that broke, where the text says more than the code: a chunk or a head that is none, or
    /// a client certificate that the server doesn't want, which with TLS 1.3 it says after the handshake.
    static func ofBreak(text: String) -> Self {
        // A proxy has answered, and doesn't let this client through.
        if text.contains("CONNECT") { return .cannotConnect }
        if text.contains("chunk") || text.contains("header") { return .badResponse }
        // A server may also answer a request that follows its alert with a reset: that is a loss.
        guard text.contains("alert") else { return .connectionLost }
        return ofHandshake(text: text)
    }

    /// The kind of a handshake that failed.
    static func ofHandshake(text: String) -> Self {
        let text = text.lowercased()
        func mentions(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        // An alert is what the server says: of our certificate, if it is about one (RFC 8446, section 6.2).
        if text.contains("alert") {
            if mentions("certificate required") { return .clientCertificateRequired }
            return mentions("certificate", "unknown ca", "access denied")
                ? .clientCertificateRefused : .secureConnectionFailed
        }
        if mentions("target host") { return .wrongHost }
        if mentions("has expired", "not yet valid") { return .certificateExpired }
        // The alert that our certificate has expired; what is wrong with the server's has another text.
        if mentions("ssl certificate verification failed") { return .clientCertificateRefused }
        let isUntrusted = mentions("issuer", "self-signed", "self signed", "verification failed")
        return isUntrusted ? .untrustedAuthority : .secureConnectionFailed
    }
}
