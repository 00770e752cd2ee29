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
    /// Engines over `URLSession` can't make an identity from PEM: on Apple platforms answer the challenge with an
    /// identity of the keychain, with `challengeHandler`.
    ///
    /// Descriptions never show the key or the password.
    public struct ClientCertificate: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
        /// The certificate, followed by its intermediate certificates, if the server lacks them.
        public let certificate: Certificates

        /// The private key: one block of PEM.
        let keyPEM: String

        /// The password of an encrypted key.
        let password: String?

        /// Makes a client certificate from a certificate and its key.
        ///
        /// The match of the two, and the password, are checked only with the first request: it fails with
        /// ``TransferError/Kind/unsupportedSetting`` if they are wrong.
        ///
        /// - Parameters:
        ///   - certificate: the certificate, followed by its intermediate certificates.
        ///   - keyPEM: the private key: a block from `-----BEGIN PRIVATE KEY-----`, or another kind of private key, to
        ///     its end.
        ///   - password: the password of an encrypted key.
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

        /// Makes a client certificate from a certificate and its key in a file, which is read only now.
        ///
        /// - Parameters:
        ///   - certificate: the certificate, followed by its intermediate certificates.
        ///   - keyFile: a file of PEM with the private key.
        ///   - password: the password of an encrypted key.
        /// - Throws: ``TransferSecurityError/unreadableFile(_:)``, ``TransferSecurityError/noPrivateKey``,
        ///   ``TransferSecurityError/malformedPrivateKey`` or ``TransferSecurityError/passwordMissing``.
        public init(
            certificate: Certificates, keyContentsOf keyFile: URL, password: String? = nil
        ) throws(TransferSecurityError) {
            let text = String(decoding: try TransferSecurityError.reading(keyFile), as: UTF8.self)
            try self.init(certificate: certificate, keyPEM: text, password: password)
        }

        /// Says only that there is one.
        public var description: String { "a client certificate" }

        /// Only the certificate.
        public var customMirror: Mirror { Mirror(self, children: ["certificate": certificate]) }
    }
}
