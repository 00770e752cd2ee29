public import Foundation

extension TransferSecurity {
    /// One or more certificates (X.509).
    ///
    /// ```swift
    /// let roots = try TransferSecurity.Certificates(contentsOf: file)
    /// ```
    public struct Certificates: Sendable, Hashable, CustomStringConvertible {
        /// Each certificate as DER.
        let der: [Data]

        /// Reads certificates from PEM: blocks between `-----BEGIN CERTIFICATE-----` and `-----END CERTIFICATE-----`,
        /// with any text between them.
        ///
        /// - Throws: ``TransferSecurityError/noCertificate`` or
        ///   ``TransferSecurityError/malformedCertificate(number:)``.
        public init(pem: String) throws(TransferSecurityError) {
            try self.init(PEMBlock.all(in: pem).filter(\.isCertificate).map(\.content))
        }

        /// Reads certificates from the bytes of PEM, or one certificate as DER.
        ///
        /// - Throws: ``TransferSecurityError/noCertificate`` or
        ///   ``TransferSecurityError/malformedCertificate(number:)``.
        public init(data: Data) throws(TransferSecurityError) {
            // A text may begin with the digit 0, which is the first byte of DER.
            let isDER =
                data.first == DERValue.sequence
                && (DERValue(data) != nil || data.range(of: Data("-----BEGIN ".utf8)) == nil)
            if isDER {
                try self.init([data])
            } else {
                try self.init(pem: String(decoding: data, as: UTF8.self))
            }
        }

        /// Reads certificates from a file of PEM, or of one certificate as DER; it is read only now.
        ///
        /// - Throws: ``TransferSecurityError/unreadableFile(_:)``, ``TransferSecurityError/noCertificate`` or
        ///   ``TransferSecurityError/malformedCertificate(number:)``.
        public init(contentsOf file: URL) throws(TransferSecurityError) {
            try self.init(data: try TransferSecurityError.reading(file))
        }

        private init(_ contents: [Data?]) throws(TransferSecurityError) {
            guard !contents.isEmpty else { throw .noCertificate }
            var der: [Data] = []
            for (index, content) in contents.enumerated() {
                guard let content, DERValue.publicKeyInfo(ofCertificate: content) != nil else {
                    throw .malformedCertificate(number: index + 1)
                }
                der.append(content)
            }
            self.der = der
        }

        /// The number of certificates.
        public var count: Int { der.count }

        /// The number of certificates, in words.
        public var description: String { count == 1 ? "1 certificate" : "\(count) certificates" }

        /// The certificates as PEM.
        var pem: String { der.map { PEMBlock.text("CERTIFICATE", $0) }.joined() }
    }
}

extension TransferSecurityError {
    /// The content of a file.
    static func reading(_ file: URL) throws(TransferSecurityError) -> Data {
        do {
            return try Data(contentsOf: file)
        } catch {
            throw .unreadableFile(file)
        }
    }
}
