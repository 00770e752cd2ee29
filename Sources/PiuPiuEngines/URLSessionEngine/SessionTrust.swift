#if canImport(Darwin)
    import CryptoKit
    import Foundation
    import Security

    /// Answers the challenges of `URLSession` by a ``TransferSecurity``.
    struct SessionTrust: Sendable {
        /// An answer to a challenge.
        enum Answer {
            /// The default of the system.
            case standard
            case given(URLSession.AuthChallengeDisposition, URLCredential?)
            /// The server fails the check.
            case refused(TransferError.Kind)
        }

        private let security: TransferSecurity
        private let pins: PinnedHosts

        init(_ security: TransferSecurity) {
            self.security = security
            pins = PinnedHosts(security)
        }

        /// Whether an answer may be another than the default of the system.
        var mayAnswer: Bool {
            security.challengeHandler != nil || security.authorities != .system || !security.pins.isEmpty
                || !security.pinsByHost.isEmpty
        }

        /// Answers a challenge. It waits for the check of a certificate, which may take a network.
        func answer(to challenge: URLAuthenticationChallenge) -> Answer {
            if let (disposition, credential) = security.challengeHandler?(challenge) {
                return .given(disposition, credential)
            }
            let space = challenge.protectionSpace
            let pins = pins.pins(of: space.host)
            guard space.authenticationMethod == NSURLAuthenticationMethodServerTrust, let trust = space.serverTrust,
                security.authorities != .system || !pins.isEmpty
            else { return .standard }
            if let kind = failure(of: trust) { return .refused(kind) }
            guard pins.isEmpty || isPinned(trust, pins) else { return .refused(.pinMismatch) }
            return .given(.useCredential, URLCredential(trust: trust))
        }

        /// Checks authority, host and dates; the session has set the host in the policy of `trust`.
        private func failure(of trust: SecTrust) -> TransferError.Kind? {
            switch security.authorities {
            case .system: break
            case .only(let certificates), .systemAnd(let certificates):
                let anchors = certificates.der.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
                guard anchors.count == certificates.count,
                    SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, replacesSystem) == errSecSuccess
                else { return .untrustedAuthority }
            }
            var error: CFError?
            guard !SecTrustEvaluateWithError(trust, &error) else { return nil }
            return switch error.map({ OSStatus(truncatingIfNeeded: CFErrorGetCode($0)) }) {
            case errSecHostNameMismatch: .wrongHost
            case errSecCertificateExpired, errSecCertificateNotValidYet: .certificateExpired
            default: .untrustedAuthority
            }
        }

        private var replacesSystem: Bool {
            if case .only = security.authorities { true } else { false }
        }

        private func isPinned(_ trust: SecTrust, _ pins: [TransferSecurity.PublicKeyPin]) -> Bool {
            guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first,
                let key = DERValue.publicKeyInfo(ofCertificate: SecCertificateCopyData(leaf) as Data)
            else { return false }
            let hash = Data(SHA256.hash(data: key)).base64EncodedString()
            return pins.contains { $0.base64 == hash }
        }
    }
#endif
