public import Foundation

extension TransferSecurity {
    /// A client's certificate and its private key (mutual TLS).
    ///
    /// ```swift
    /// let identity = try TransferSecurity.ClientCertificate(
    ///     certificate: TransferSecurity.Certificates(contentsOf: certificateFile), keyContentsOf: keyFile,
    ///     password: password)
    /// ```
    ///
    /// Engines over `URLSession` can't make an identity of PEM: on Apple platforms answer the challenge with one of the
    /// keychain, by `challengeHandler`.
    ///
    /// Nothing of the key or the password is part of a description.
    public struct ClientCertificate: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
        /// The certificate, and behind it those between it and its authority, if the server lacks them.
        public let certificate: Certificates

        /// The private key: one block of PEM.
        let keyPEM: String

        /// What the key is encrypted with.
        let password: String?

        /// Takes a certificate with its key.
        ///
        /// Whether the two belong together, and the password is right, is known when the first request is sent: it fails with
        /// ``TransferError/Kind/unsupportedSetting``, if not.
        ///
        /// - Parameters:
        ///   - certificate: the certificate, and behind it those between it and its authority.
        ///   - keyPEM: the private key, a block between `-----BEGIN PRIVATE KEY-----`, or another kind of private key,
        ///     and its end.
        ///   - password: what the key is encrypted with.
        /// - Throws: ``TransferSecurityError/noPrivateKey``, ``TransferSecurityError/malformedPrivateKey`` or
        ///   ``TransferSecurityError/passwordMissing``.
        public init(
            certificate: Certificates, keyPEM: String, password: String? = nil
        ) throws(TransferSecurityError) {
            guard let key = PEMBlock.all(in: keyPEM).first(where: \.isPrivateKey) else { throw .noPrivateKey }
            guard let content = key.content, DERValue(content)?.tag == DERValue.sequence || key.hasHeaders else {
                throw .malformedPrivateKey
            }
            guard !key.isEncrypted || password != nil else { throw .passwordMissing }
            self.certificate = certificate
            self.keyPEM = key.text
            self.password = password
        }

        /// Takes a certificate with its key from a file, which is read now, and never again.
        ///
        /// - Parameters:
        ///   - certificate: the certificate, and behind it those between it and its authority.
        ///   - keyFile: a file of PEM with the private key.
        ///   - password: what the key is encrypted with.
        /// - Throws: ``TransferSecurityError/unreadableFile(_:)``, ``TransferSecurityError/noPrivateKey``,
        ///   ``TransferSecurityError/malformedPrivateKey`` or ``TransferSecurityError/passwordMissing``.
        public init(
            certificate: Certificates, keyContentsOf keyFile: URL, password: String? = nil
        ) throws(TransferSecurityError) {
            let text = String(decoding: try TransferSecurityError.reading(keyFile), as: UTF8.self)
            try self.init(certificate: certificate, keyPEM: text, password: password)
        }

        /// That there is one.
        public var description: String { "a client certificate" }

        /// The certificate alone.
        public var customMirror: Mirror { Mirror(self, children: ["certificate": certificate]) }
    }
}
