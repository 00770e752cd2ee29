import Foundation
import NIOSSL
import PiuPiu
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Trust: servers", .timeLimit(.minutes(10)))
struct TrustTests {
    private let authority: LocalAuthority
    private let other: LocalAuthority

    init() throws {
        authority = try LocalAuthority()
        other = try LocalAuthority("Other authority")
    }

    @Test("A server of an own authority is trusted, by name and by address, also beside the system's authorities")
    func valid() async throws {
        for authorities in [try only(authority), .systemAnd(try certificates([authority])), try only(other, authority)]
        {
            try await TLSServer.run(try authority.issueHere()) { server in
                let dispatcher = URLRequestDispatcher(
                    configuration: .ephemeral, security: TransferSecurity(authorities: authorities))
                for host in ["localhost", "127.0.0.1"] {
                    let text = try await dispatcher.text(server.url(host: host))
                    #expect(text.hasPrefix("HTTP/1.1"))
                }
            }
        }
    }

    @Test("A server of an unknown authority is not trusted, and gets no request")
    func untrusted() async throws {
        try await TLSServer.run(try other.issueHere()) { server in
            for authorities in [try only(authority), .systemAnd(try certificates([authority])), .system] {
                await expect(.untrustedAuthority, server, TransferSecurity(authorities: authorities))
            }
            #expect(server.paths.isEmpty)
        }
    }

    @Test("A self-signed certificate is not trusted")
    func selfSigned() async throws {
        try await TLSServer.run(other.root) { server in
            await expect(.untrustedAuthority, server, TransferSecurity(authorities: try only(authority)))
            await expect(.untrustedAuthority, server, TransferSecurity())
        }
    }

    @Test("A certificate for another host, by name and by address")
    func wrongHost() async throws {
        for name in [LocalAuthority.Name.host("example.com"), .address("127.0.0.2")] {
            try await TLSServer.run(try authority.issue(name)) { server in
                for host in ["localhost", "127.0.0.1"] {
                    await expect(.wrongHost, server, TransferSecurity(authorities: try only(authority)), host: host)
                }
            }
        }
    }

    @Test("A certificate that has expired, or is not valid yet", arguments: [LocalAuthority.Validity.expired, .notYet])
    func dates(validity: LocalAuthority.Validity) async throws {
        try await TLSServer.run(try authority.issueHere(validFor: validity)) { server in
            await expect(.certificateExpired, server, TransferSecurity(authorities: try only(authority)))
        }
    }

    @Test("Pins: one match is enough, and none is a mismatch; the authority must still be trusted")
    func pins() async throws {
        let identity = try authority.issueHere()
        let right = try TransferSecurity.PublicKeyPin(identity.pin)
        let wrong = try TransferSecurity.PublicKeyPin(authority.root.pin)
        let trusted = try only(authority)
        try await TLSServer.run(identity) { server in
            await expect(nil, server, TransferSecurity(authorities: trusted, pins: [wrong, right]))
            await expect(.pinMismatch, server, TransferSecurity(authorities: trusted, pins: [wrong]))
            await expect(
                .untrustedAuthority, server, TransferSecurity(authorities: try only(other), pins: [right]))
            // A host's pins replace the others, and the case of hosts doesn't matter.
            let ofHosts = TransferSecurity(
                authorities: trusted, pins: [wrong], pinsByHost: ["LOCALHOST": [right], "example.com": [wrong]])
            await expect(nil, server, ofHosts, host: "localhost")
            await expect(.pinMismatch, server, ofHosts, host: "127.0.0.1")
        }
    }

    @Test("A server that speaks an older TLS than required")
    func minimumVersion() async throws {
        let trusted = try only(authority)
        let old = TLSServer.Options(newestVersion: .tlsv12)
        try await TLSServer.run(try authority.issueHere(), old) { server in
            await expect(nil, server, TransferSecurity(authorities: trusted, minimumTLSVersion: .tls12))
            await expect(
                .secureConnectionFailed, server, TransferSecurity(authorities: trusted, minimumTLSVersion: .tls13))
        }
        try await TLSServer.run(try authority.issueHere()) { server in
            await expect(nil, server, TransferSecurity(authorities: trusted, minimumTLSVersion: .tls13))
        }
    }

    @Test("A redirect to a server that is not trusted ends there, and it gets nothing")
    func redirect() async throws {
        try await TLSServer.run(try other.issueHere()) { untrusted in
            let target = Data(try untrusted.url("/secret").absoluteString.utf8).base64EncodedString()
            try await TLSServer.run(try authority.issueHere()) { server in
                let security = TransferSecurity(authorities: try only(authority))
                await expect(.untrustedAuthority, server, security, path: "/redirect/\(target)")
                #expect(server.paths == ["/redirect/\(target)"])
            }
            #expect(untrusted.connections == 1 && untrusted.paths.isEmpty)
        }
    }

    #if canImport(FoundationNetworking)
        @Test("URLSession on Linux refuses security settings, and reports a server that it doesn't trust")
        func session() async throws {
            let security = TransferSecurity(authorities: try only(authority))
            try await TLSServer.run(try authority.issueHere()) { server in
                let secured = URLRequestDispatcher(engine: .urlSession(.ephemeral, security: security))
                let refusal = try await secured.failure(server.url())
                #expect(refusal?.kind == .unsupportedSetting)
                let plain = URLRequestDispatcher(engine: .urlSession(.ephemeral))
                let failure = try await plain.failure(server.url())
                #expect(failure?.kind == .untrustedAuthority)
                #expect(server.paths.isEmpty)
            }
        }
    #endif
}
