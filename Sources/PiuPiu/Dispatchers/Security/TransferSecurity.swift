#if canImport(Darwin)
    public import Foundation
#endif

/// Which servers a dispatcher trusts, and how it shows them who it is: TLS, on every engine.
///
/// ```swift
/// let security = TransferSecurity(
///     authorities: .only(try TransferSecurity.Certificates(contentsOf: companyRoots)),
///     pins: [try TransferSecurity.PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")],
///     minimumTLSVersion: .tls13)
/// let dispatcher = URLRequestDispatcher(security: security)
/// ```
///
/// It holds for all requests of an engine, for those that a redirect leads to as well, and it doesn't matter for plain
/// `http`. A server that fails it gets nothing of the request; the future ends with a ``TransferError`` of the kind
/// ``TransferError/Kind/untrustedAuthority``, ``TransferError/Kind/wrongHost``,
/// ``TransferError/Kind/certificateExpired``, ``TransferError/Kind/pinMismatch``,
/// ``TransferError/Kind/clientCertificateRequired``, ``TransferError/Kind/clientCertificateRefused``, or for other
/// reasons ``TransferError/Kind/secureConnectionFailed``.
///
/// An engine that can't do what is asked for sends nothing: each request fails with
/// ``TransferError/Kind/unsupportedSetting``, whose underlying ``UnsupportedSettingError`` says what to do.
///
/// The certificate of a client and its key and password are never part of a description.
public struct TransferSecurity: Sendable {
    /// Whose certificates a server may have.
    public enum Authorities: Sendable, Hashable {
        /// The authorities of the system.
        case system
        /// These, and none of the system's.
        case only(Certificates)
        /// These as well as the system's.
        case systemAnd(Certificates)
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case tls12
        /// TLS 1.3 (RFC 8446).
        case tls13
    }

    /// Whose certificates a server may have; those of the system by default.
    public var authorities: Authorities

    /// The public keys that a server may have, any of them; none for every key that has the right certificate.
    ///
    /// A pin is no replacement for the authority, the name and the dates of a certificate, which are checked as well. Give
    /// two at least: one for the key that comes next.
    public var pins: [PublicKeyPin]

    /// The pins of certain hosts, by name in whatever case, in place of ``pins``.
    public var pinsByHost: [String: [PublicKeyPin]]

    /// What a server that asks for a certificate gets, whichever server it is.
    public var clientCertificate: ClientCertificate?

    /// The oldest version of TLS that may be spoken; `nil` for what the platform allows, as a rule 1.2.
    public var minimumTLSVersion: TLSVersion?

    #if canImport(Darwin)
        /// What answers a challenge of `URLSession`.
        public typealias ChallengeHandler =
            @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)?

        /// Is asked first about each challenge of `URLSession`, and for `nil` the other settings decide. It is called on a
        /// queue of the session's, one challenge at a time, and returns quickly. Apple platforms alone have it.
        public var challengeHandler: ChallengeHandler?
    #endif

    /// Makes a security; by default that of the platform.
    ///
    /// - Parameters:
    ///   - authorities: whose certificates a server may have.
    ///   - pins: the public keys that a server may have.
    ///   - pinsByHost: the pins of certain hosts, in place of `pins`.
    ///   - clientCertificate: what a server that asks for a certificate gets.
    ///   - minimumTLSVersion: the oldest version of TLS that may be spoken.
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

    /// Whether nothing is asked for.
    var isStandard: Bool {
        #if canImport(Darwin)
            guard challengeHandler == nil else { return false }
        #endif
        return authorities == .system && pins.isEmpty && pinsByHost.isEmpty && clientCertificate == nil
            && minimumTLSVersion == nil
    }

    /// The pins that count for a host.
    func pins(of host: String) -> [PublicKeyPin] {
        guard !pinsByHost.isEmpty else { return pins }
        return pinsByHost.first { $0.key.lowercased() == host.lowercased() }?.value ?? pins
    }
}
