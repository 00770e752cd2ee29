import Foundation
import PiuPiu
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Trust: values", .timeLimit(.minutes(10)))
struct TransferSecurityTests {
    private typealias Certificates = TransferSecurity.Certificates
    private typealias ClientCertificate = TransferSecurity.ClientCertificate
    private typealias Pin = TransferSecurity.PublicKeyPin

    private let pem = SecurityFixtures.certificate

    @Test("Certificates are read from text, bytes and files, as PEM and DER, whatever stands between them")
    func certificates() throws {
        let one = try Certificates(pem: pem)
        #expect(one.count == 1)
        let mixed = "Subject: Test\r\n" + pem.replacing("\n", with: "\r\n") + SecurityFixtures.key + "\n  " + pem
        #expect(try Certificates(pem: mixed).count == 2)
        // 0 is also the first byte of DER.
        for text in [pem, "0. roots\n" + pem] { #expect(try Certificates(data: Data(text.utf8)) == one) }
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        #expect(try Certificates(data: #require(Data(base64Encoded: base64))) == one)
        let folder = try TemporaryFolder()
        #expect(try Certificates(contentsOf: folder.file("roots.pem", containing: pem)) == one)
    }

    @Test("A missing or malformed certificate is an error that says which one")
    func noCertificates() throws {
        for text in ["", "nothing", SecurityFixtures.key, "-----BEGIN CERTIFICATE-----\nMIIB"] {
            #expect(throws: TransferSecurityError.noCertificate) { try Certificates(pem: text) }
        }
        func block(_ content: String) -> String {
            "-----BEGIN CERTIFICATE-----\n\(content)\n-----END CERTIFICATE-----\n"
        }
        for content in ["", "!", "AAAA", "MAMCAQE=", "MIQAAAAA", SecurityFixtures.publicKey] {
            #expect(throws: TransferSecurityError.malformedCertificate(number: 2), "\(content)") {
                try Certificates(pem: pem + block(content))
            }
        }
        let file = URL(filePath: "/nowhere/roots.pem")
        #expect(throws: TransferSecurityError.unreadableFile(file)) { try Certificates(contentsOf: file) }
    }

    @Test("A certificate that is cut off anywhere, or has anything after it, is malformed")
    func cut() throws {
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        for count in 1..<der.count {
            #expect(throws: TransferSecurityError.self) { try Certificates(data: der.prefix(count)) }
        }
        #expect(throws: TransferSecurityError.malformedCertificate(number: 1)) { try Certificates(data: der + [0]) }
        #expect(DERValue.publicKeyInfo(ofCertificate: der)?.base64EncodedString() == SecurityFixtures.publicKey)
    }

    @Test("A client's key must be a private key, and needs a password if it is encrypted")
    func clientCertificates() throws {
        let certificate = try Certificates(pem: pem)
        _ = try ClientCertificate(certificate: certificate, keyPEM: pem + SecurityFixtures.key)
        for key in [SecurityFixtures.encryptedKey, SecurityFixtures.oldEncryptedKey] {
            let identity = try ClientCertificate(certificate: certificate, keyPEM: key, password: "secret")
            let other = try ClientCertificate(certificate: certificate, keyPEM: key, password: "other")
            #expect(Set([identity, identity, other]).count == 2)
            #expect(throws: TransferSecurityError.passwordMissing) {
                try ClientCertificate(certificate: certificate, keyPEM: key)
            }
        }
        #expect(throws: TransferSecurityError.noPrivateKey) {
            try ClientCertificate(certificate: certificate, keyPEM: pem)
        }
        #expect(throws: TransferSecurityError.malformedPrivateKey) {
            try ClientCertificate(
                certificate: certificate, keyPEM: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")
        }
        #expect(throws: TransferSecurityError.unreadableFile(URL(filePath: "/nowhere"))) {
            try ClientCertificate(certificate: certificate, keyContentsOf: URL(filePath: "/nowhere"))
        }
    }

    @Test("No text or dump shows a key or a password")
    func secrets() throws {
        let identity = try ClientCertificate(
            certificate: Certificates(pem: pem), keyPEM: SecurityFixtures.encryptedKey, password: "secret")
        let security = TransferSecurity(clientCertificate: identity)
        var texts = ["\(security)", String(reflecting: security), "\(identity)", String(reflecting: identity)]
        for value in [security, identity] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        for text in texts { #expect(!text.contains("secret") && !text.contains("PRIVATE") && !text.contains("MIHs")) }
    }

    @Test("Pins are accepted in the usual forms, and in no other")
    func pins() throws {
        let hash = Data(repeating: 7, count: 32).base64EncodedString()
        for text in [hash, "sha256/\(hash)", "sha256//\(hash)"] {
            #expect(try Pin(text).description == "sha256/\(hash)")
        }
        for text in [
            "", "sha256/", "sha1/\(hash)", hash.replacing("=", with: ""), "AAAA", "sha256/\(hash);sha256//\(hash)",
        ] {
            #expect(throws: TransferSecurityError.malformedPin(text)) { try Pin(text) }
        }
    }

    @Test("Old code sees the codes of URLSession")
    func urlErrors() {
        let codes: [TransferError.Kind: URLError.Code] = [
            .untrustedAuthority: .serverCertificateUntrusted, .wrongHost: .serverCertificateUntrusted,
            .certificateExpired: .serverCertificateHasBadDate, .pinMismatch: .secureConnectionFailed,
            .clientCertificateRequired: .clientCertificateRequired,
            .clientCertificateRefused: .clientCertificateRejected,
        ]
        for (kind, code) in codes { #expect(TransferError(kind).urlError?.code == code) }
        #expect(TransferError(.unsupportedSetting).urlError == nil)
    }
}

#if canImport(FoundationNetworking)
    @Suite("Trust: the settings for libcurl", .timeLimit(.minutes(10)))
    struct CurlSetupTests {
        private func content(_ value: CurlSetup.Value?) throws -> String {
            guard case .text(let path?) = value else { return "" }
            return try String(contentsOfFile: path, encoding: .utf8)
        }

        @Test(
            "The pins of a host hold however the host is written",
            arguments: [
                ("bücher.example", "https://xn--bcher-kva.example/"),
                ("xn--bcher-kva.example", "https://bücher.example/"),
                ("Bücher.Example", "https://B%C3%BCcher.example/"), ("[::1]", "https://[::1]:8443/"),
                ("::1", "https://[0:0:0:0:0:0:0:1]/"), ("fe80::A", "https://[FE80::a]/"),
                ("example.com.", "https://example.com/"), ("EXAMPLE.com", "https://example.COM./"),
                ("127.0.0.1", "https://127.0.0.1/"), ("127.0.0.1", "https://127.1/"), ("0x7F.1", "https://127.0.0.1./"),
                ("2130706433", "https://0177.0.0.1/"), ("1.example", "https://1.example/"),
                ("fe80::1", "https://[fe80::1%25eth0]/"), ("[fe80::1%eth0]", "https://[fe80::1]/"),
            ])
        func pinnedHosts(key: String, address: String) throws {
            let pin = try TransferSecurity.PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
            let setup = CurlSetup(.ephemeral, TransferSecurity(pinsByHost: [key: [pin], "other.example": []]))
            #expect(setup.options(for: try URL(fixture: address))[.pinnedPublicKey] != nil)
            for other in ["https://other.example/", "https://a.example.com/", "https://[::2]/"] {
                #expect(setup.options(for: try URL(fixture: other))[.pinnedPublicKey] == nil)
            }
        }

        @Test(
            "With a key that is no host nothing is sent",
            arguments: [
                "", ".", "example.com:443", "https://example.com", "*.example.com", "a/b", "[::1", "1::2::3", "a b",
            ])
        func noHost(key: String) async throws {
            let pin = try TransferSecurity.PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
            let dispatcher = URLRequestDispatcher(
                configuration: .ephemeral, security: TransferSecurity(pinsByHost: ["example.com": [pin], key: [pin]]))
            let future = dispatcher.dataFuture(from: URLRequest(url: try URL(fixture: "https://127.0.0.1:1/")))
            let error = await #expect(throws: TransferError.self) { try await future.value }
            #expect(error?.kind == .unsupportedSetting)
            #expect(error?.underlyingError as? UnsupportedSettingError == .pinnedHost(key))
        }

        @Test("Own authorities replace the system's, folder included, or are added to them")
        func authorities() throws {
            let folder = try TemporaryFolder(),
                own = try TransferSecurity.Certificates(pem: SecurityFixtures.certificate)
            let file = try folder.file("system.pem", containing: "system")
            let system = SystemAuthorities(builtIn: file.path(), usual: [])
            func options(_ authorities: TransferSecurity.Authorities) throws -> (
                CurlSetup, [CurlOption: CurlSetup.Value]
            ) {
                let setup = CurlSetup(
                    .ephemeral, TransferSecurity(authorities: authorities), systemAuthorities: system)
                return (setup, setup.options(for: URL(string: "https://host/")))
            }
            // A setup keeps the files that its options name.
            let (replacing, only) = try options(.only(own))
            #expect(try content(only[.authorityFile]) == SecurityFixtures.certificate)
            #expect(only[.authorityFolder] == .text(nil))
            let (adding, both) = try options(.systemAnd(own))
            #expect(try content(both[.authorityFile]) == "system\n" + SecurityFixtures.certificate)
            #expect(both[.authorityFolder] == nil)
            #expect(try options(.system).1.isEmpty)
            withExtendedLifetime([replacing, adding]) {}
        }

        @Test("Where the library finds no authorities, those in the usual places are used")
        func substitute() throws {
            #expect(SystemAuthorities(builtIn: "/dev/null", usual: ["/etc"]).substitute == nil)
            #expect(SystemAuthorities(builtIn: "/nowhere", usual: ["/nowhere", "/dev/null"]).substitute == "/dev/null")
            #expect(SystemAuthorities(builtIn: nil, usual: ["/nowhere"]).substitute == nil)
            let setup = CurlSetup(
                .ephemeral, TransferSecurity(),
                systemAuthorities: SystemAuthorities(builtIn: nil, usual: ["/dev/null"]))
            #expect(setup.options(for: URL(string: "https://host/")) == [.authorityFile: .text("/dev/null")])
            #expect(setup.options(for: URL(string: "http://host/")).isEmpty)
        }
    }
#endif
