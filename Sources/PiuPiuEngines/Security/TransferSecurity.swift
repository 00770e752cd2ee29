#if canImport(Darwin)
    public import Foundation
#endif

/// The TLS settings of a dispatcher, for every engine: which servers it trusts, and its client certificate.
///
/// ```swift
/// let security = TransferSecurity(
///     authorities: .only(try TransferSecurity.Certificates(contentsOf: companyRoots)),
///     pins: [try TransferSecurity.PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")],
///     minimumTLSVersion: .tls13)
/// let dispatcher = URLRequestDispatcher(security: security)
/// ```
///
/// It holds for all requests of an engine, including redirected ones, and doesn't affect plain `http`. A server that
/// fails it gets nothing of the request. The future ends with a ``TransferError`` of the kind
/// ``TransferError/Kind/untrustedAuthority``, ``TransferError/Kind/wrongHost``,
/// ``TransferError/Kind/certificateExpired``, ``TransferError/Kind/pinMismatch``,
/// ``TransferError/Kind/clientCertificateRequired``, ``TransferError/Kind/clientCertificateRefused``, or for other
/// reasons ``TransferError/Kind/secureConnectionFailed``.
///
/// An engine that doesn't support a setting sends nothing: each request fails with
/// ``TransferError/Kind/unsupportedSetting``, whose underlying ``UnsupportedSettingError`` says what to do.
///
/// Descriptions never show the certificate of a client, its key or its password.
public struct TransferSecurity: Sendable {
    /// The authorities that may sign a server's certificate.
    public enum Authorities: Sendable, Hashable {
        /// The authorities of the system.
        case system
        /// Only these, and none of the system.
        case only(Certificates)
        /// These and those of the system.
        case systemAnd(Certificates)
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// The authorities that may sign a server's certificate; those of the system by default.
    ///
    /// App Transport Security doesn't know authorities of your own: an app of an Apple platform needs an exception for
    /// each domain that uses them, `NSExceptionAllowsInsecureHTTPLoads` in its Info.plist. The certificates are checked
    /// by these settings nevertheless.
    public var authorities: Authorities

    /// The public keys of which a server must have one; empty for no check.
    ///
    /// A pin doesn't replace the check of the authority, the name and the dates of a certificate. Give at least two
    /// pins: one for the next key.
    public var pins: [PublicKeyPin]

    /// The pins of certain hosts, which replace ``pins`` there.
    ///
    /// A host is a name or an address, without a port; it holds for itself, and not for names below it. Its case
    /// doesn't matter, and neither do a dot at the end, the form of an IP address, and whether an international name is
    /// written as such or in ASCII. With a key that is no host, nothing is sent:
    /// ``UnsupportedSettingError/pinnedHost(_:)``. For a host that isn't here, ``pins`` count: if they are empty, any
    /// trusted certificate is accepted.
    public var pinsByHost: [String: [PublicKeyPin]]

    /// The certificate for every server that asks for one.
    public var clientCertificate: ClientCertificate?

    /// The oldest allowed version of TLS; `nil` for the minimum of the platform, usually 1.2.
    public var minimumTLSVersion: TLSVersion?

    #if canImport(Darwin)
        /// The type of a handler for challenges of `URLSession`.
        public typealias ChallengeHandler =
            @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)?

        /// Answers each challenge of `URLSession` first; after `nil` the other settings decide.
        ///
        /// It is called in the background, for several challenges at once; only the challenged connections wait for it.
        /// Only Apple platforms have it.
        ///
        /// Where it answers with `.cancelAuthenticationChallenge`, the exchange ends: with a ``TransferError`` of the
        /// kind ``TransferError/Kind/untrustedAuthority`` for the trust of a server, with
        /// ``TransferError/Kind/clientCertificateRequired`` for a client certificate, and for a password with the
        /// response that asks for it, usually a 401.
        public var challengeHandler: ChallengeHandler?
    #endif

    /// Makes a security; by default that of the platform.
    ///
    /// - Parameters:
    ///   - authorities: the authorities that may sign a server's certificate.
    ///   - pins: the public keys of which a server must have one; empty for no check.
    ///   - pinsByHost: the pins of certain hosts, which replace `pins` there.
    ///   - clientCertificate: the certificate for every server that asks for one.
    ///   - minimumTLSVersion: the oldest allowed version of TLS.
    public init(
        authorities: Authorities = .system, pins: [PublicKeyPin] = [], pinsByHost: [String: [PublicKeyPin]] = [:],
        clientCertificate: ClientCertificate? = nil, minimumTLSVersion: TLSVersion? = nil
    ) {
        self.authorities = authorities
        self.pins = pins
        self.pinsByHost = pinsByHost
        self.clientCertificate = clientCertificate
        self.minimumTLSVersion = minimumTLSVersion
    }

    /// Whether all settings are the default.
    var isStandard: Bool {
        #if canImport(Darwin)
            guard challengeHandler == nil else { return false }
        #endif
        return authorities == .system && pins.isEmpty && pinsByHost.isEmpty && clientCertificate == nil
            && minimumTLSVersion == nil
    }
}
