import Foundation

extension TransferSecurity {
    /// The SHA-256 of a server's public key.
    ///
    /// ```swift
    /// let pin = try TransferSecurity.PublicKeyPin("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    /// ```
    ///
    /// It is the hash of the certificate's SubjectPublicKeyInfo, which stays the same when a certificate is renewed
    /// with the same key. For a running server:
    ///
    /// ```
    /// openssl s_client -connect HOST:443 </dev/null | openssl x509 -pubkey -noout \
    ///     | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
    /// ```
    ///
    /// It pins the server's own certificate, not that of an authority.
    ///
    /// Keys are checked when a connection is made. Over HTTP/2 `URLSession` may also use it for another host that the
    /// same certificate names: give hosts with a common certificate the same pins.
    public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
        /// The 32 bytes as base64.
        let base64: String

        /// Reads a pin in base64, with or without the usual "sha256/" or "sha256//" before it.
        ///
        /// - Throws: ``TransferSecurityError/malformedPin(_:)``.
        public init(_ text: String) throws(TransferSecurityError) {
            let prefix = ["sha256//", "sha256/"].first { text.hasPrefix($0) } ?? ""
            guard let hash = Data(base64Encoded: String(text.dropFirst(prefix.count))), hash.count == 32 else {
                throw .malformedPin(text)
            }
            base64 = hash.base64EncodedString()
        }

        /// The pin in its usual form: "sha256/" and base64.
        public var description: String { "sha256/\(base64)" }
    }
}
