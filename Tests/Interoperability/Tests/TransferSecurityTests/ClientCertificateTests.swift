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
                certificate: TransferSecurity.Certificates(pem: identity.certificatePEM()),
                keyPEM: key ?? identity.keyPEM, password: password)
        }
        return TransferSecurity(authorities: try only(authority), clientCertificate: certificate)
    }

    private func run(_ version: TLSVersion, _ work: (TLSServer) async throws -> Void) async throws {
        try await TLSServer.run(
            try authority.issueHere(), TLSServer.Options(newestVersion: version, clients: clients), work)
    }

    @Test("With the right one the server answers", arguments: [TLSVersion.tlsv12, .tlsv13])
    func accepted(version: TLSVersion) async throws {
        try await run(version) { server in
            await expect(nil, server, try security(try clients.issueHere()))
        }
    }

    @Test("With TLS 1.3 a missing one is told from others; with 1.2 the server has no words for it")
    func missing() async throws {
        try await run(.tlsv13) { server in
            await expect(.clientCertificateRequired, server, try security(nil))
        }
        try await run(.tlsv12) { server in
            await expect(.secureConnectionFailed, server, try security(nil))
        }
    }

    @Test("One of another authority, or an old one, is refused", arguments: [TLSVersion.tlsv12, .tlsv13])
    func refused(version: TLSVersion) async throws {
        try await run(version) { server in
            for identity in [try authority.issueHere(), try clients.issueHere(validFor: .expired)] {
                await expect(.clientCertificateRefused, server, try security(identity))
            }
            #expect(server.paths.isEmpty)
        }
    }

    @Test("A key that belongs to another certificate sends nothing, and says so")
    func otherKey() async throws {
        try await run(.tlsv13) { server in
            let key = try clients.issueHere().keyPEM
            await expect(.unsupportedSetting, server, try security(try clients.issueHere(), key: key))
        }
    }
}
