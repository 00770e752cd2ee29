import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A test's own certificate authority, and what it issues.
struct LocalAuthority: Sendable {
    /// A certificate and its key.
    struct Identity: Sendable {
        let certificate: Certificate
        let key: P256.Signing.PrivateKey

        /// The certificate as PEM.
        func certificatePEM() throws -> String { try certificate.serializeAsPEM().pemString }

        /// The key as PEM.
        var keyPEM: String { key.pemRepresentation }

        /// The SHA-256 of the public key, as it is pinned.
        var pin: String { "sha256/" + Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString() }
    }

    /// The certificate of the authority.
    let root: Identity

    /// Makes an authority.
    init(_ name: String = "Local authority") throws {
        let key = P256.Signing.PrivateKey()
        root = try Self.identity(name, key: key, issuer: nil, validFor: .current, names: [])
    }

    /// When a certificate is valid.
    enum Validity: Sendable {
        case current, expired, notYet

        fileprivate var limits: (from: Date, until: Date) {
            let day: TimeInterval = 24 * 60 * 60
            let now = Date()
            return switch self {
            case .current: (now - day, now + 30 * day)
            case .expired: (now - 30 * day, now - day)
            case .notYet: (now + day, now + 30 * day)
            }
        }
    }

    /// A certificate for these names.
    func issue(
        _ names: GeneralName..., validFor validity: Validity = .current, key: P256.Signing.PrivateKey = .init()
    ) throws -> Identity {
        try Self.identity("Leaf", key: key, issuer: root, validFor: validity, names: names)
    }

    private static func identity(
        _ name: String, key: P256.Signing.PrivateKey, issuer: Identity?, validFor validity: Validity,
        names: [GeneralName]
    ) throws -> Identity {
        let subject = try DistinguishedName { CommonName(name) }
        let limits = validity.limits
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: limits.from, notValidAfter: limits.until,
            issuer: issuer?.certificate.subject ?? subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                if issuer == nil {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                } else {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    if !names.isEmpty { SubjectAlternativeNames(names) }
                }
            },
            issuerPrivateKey: .init(issuer?.key ?? key))
        return Identity(certificate: certificate, key: key)
    }
}
