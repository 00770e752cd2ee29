public import Foundation

/// A certificate, key or pin for a ``TransferSecurity`` is wrong; thrown when the value is made.
///
/// It never contains a key or a password.
public enum TransferSecurityError: LocalizableError, Equatable {
    /// There is no certificate: no block of PEM, and no DER.
    case noCertificate
    /// The certificate of this number, from 1, is malformed.
    case malformedCertificate(number: Int)
    /// There is no private key: no block of PEM.
    case noPrivateKey
    /// The block of the private key is malformed.
    case malformedPrivateKey
    /// The private key is encrypted, and its password is missing.
    case passwordMissing
    /// The text is no SHA-256 in base64.
    case malformedPin(String)
    /// The file can't be read.
    case unreadableFile(URL)

    /// The key of the case, as "TransferSecurityError.noCertificate": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .noCertificate: "TransferSecurityError.noCertificate"
        case .malformedCertificate: "TransferSecurityError.malformedCertificate"
        case .noPrivateKey: "TransferSecurityError.noPrivateKey"
        case .malformedPrivateKey: "TransferSecurityError.malformedPrivateKey"
        case .passwordMissing: "TransferSecurityError.passwordMissing"
        case .malformedPin: "TransferSecurityError.malformedPin"
        case .unreadableFile: "TransferSecurityError.unreadableFile"
        }
    }

    /// The fault, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .noCertificate:
            "There is no certificate. Give PEM, with a line -----BEGIN CERTIFICATE----- before each certificate."
        case .malformedCertificate(let number):
            "Certificate number \(number, as: "number") is malformed. Export it again, as PEM."
        case .noPrivateKey:
            "There is no private key. Give PEM, with a line -----BEGIN PRIVATE KEY----- before the key."
        case .malformedPrivateKey:
            "The private key is malformed. Export it again, as PEM."
        case .passwordMissing:
            "The private key is encrypted. Give its password, or a key that is not encrypted."
        case .malformedPin(let pin):
            """
            The pin \(pin.quotedForErrors, as: "pin") is not the SHA-256 of a public key in base64. Write it as \
            sha256/ followed by 44 characters.
            """
        case .unreadableFile(let file):
            """
            The file \(file.textForErrors, as: "file") can't be read. Check its path, and that this process may read \
            it.
            """
        }
    }
}
