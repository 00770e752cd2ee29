import Foundation
import NIOSSL
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Trust: client certificates", .timeLimit(.minutes(10)))
struct ClientCertificateTests {
    private let authority: LocalAuthority
    private let clients: LocalAuthority

    init() throws {
        authority = try LocalAuthority()
        clients = try LocalAuthority("Clients")
    }

    private func security(_ identity: LocalAuthority.Identity?, key: String? = nil, password: String? = nil) throws
        -> TransferSecurity
    {
        let certificate = try identity.map { identity in
            try TransferSecurity.ClientCertificate(
                certificate: TransferSecurity.Certificates(pem: identity.certificatePEM),
                keyPEM: key ?? identity.keyPEM, password: password)
        }
        return TransferSecurity(authorities: try only(authority), clientCertificate: certificate)
    }

    private func run(_ version: TLSVersion, _ work: (TLSServer) async throws -> Void) async throws {
        try await TLSServer.run(
            try authority.issueHere(), TLSServer.Options(newestVersion: version, clients: clients), work)
    }

    @Test("With the right certificate the server answers", arguments: [TLSVersion.tlsv12, .tlsv13])
    func accepted(version: TLSVersion) async throws {
        try await run(version) { server in
            await expect(nil, server, try security(try clients.issueHere()))
        }
    }

    @Test("With TLS 1.3 a missing certificate has an error of its own; with 1.2 it hasn't")
    func missing() async throws {
        try await run(.tlsv13) { server in
            await expect(.clientCertificateRequired, server, try security(nil))
        }
        try await run(.tlsv12) { server in
            await expect(.secureConnectionFailed, server, try security(nil))
        }
    }

    @Test("A certificate of another authority, or an expired one, is refused", arguments: [TLSVersion.tlsv12, .tlsv13])
    func refused(version: TLSVersion) async throws {
        try await run(version) { server in
            for identity in [try authority.issueHere(), try clients.issueHere(validFor: .expired)] {
                await expect(.clientCertificateRefused, server, try security(identity))
            }
            #expect(server.paths.isEmpty)
        }
    }

    @Test("With the key of another certificate nothing is sent, and the error says so")
    func otherKey() async throws {
        try await run(.tlsv13) { server in
            let key = try clients.issueHere().keyPEM
            await expect(.unsupportedSetting, server, try security(try clients.issueHere(), key: key))
        }
    }

    @Test("An encrypted key works with its password; with another one nothing is sent, and the error says so")
    func encryptedKey() async throws {
        let identity = try clients.issue(keyPEM: Self.key)
        try await run(.tlsv13) { server in
            await expect(nil, server, try security(identity, key: Self.encryptedKey, password: "open sesame"))
            #expect(server.paths.count == 1)
            let wrong = try security(identity, key: Self.encryptedKey, password: "closed")
            await expect(.unsupportedSetting, server, wrong)
            #expect(server.paths.count == 1)
        }
    }

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgkpCUclxtBhwKttcg
        v6skZawWRqIFRShjCSXQLBmUVmihRANCAAQrhvByeIdh7mCtLC4KIzAqfE9h3HXR
        c8yu9dFuuehqBE/yYMK73BL8MSRtGKLEekUqKScYR2rYWees92F7sIpy
        -----END PRIVATE KEY-----
        """

    /// The same key: AES-256, with "open sesame".
    private static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiCyau52WB34QICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEFCErruRzNA83/tnXyJmBOcEgZBv
        tLQT0Ol6tbA+/SqwtpQdcTJWjC/DQXSsYYYtqROxk0FKPlh3SGu5WMGwU+QL7dr9
        MUbbFjpqAA2zyrZQ4pmUU1cgbHNf2qcmQUeHh5p7j99RpEMzMIGeq/JWF3CDmBHl
        lamw68SAm3/Jw1TBtbLpNw2C6z46LzoHqS/g2+o9qxcWfkKSUuPy8YOYRf017OA=
        -----END ENCRYPTED PRIVATE KEY-----
        """
}
