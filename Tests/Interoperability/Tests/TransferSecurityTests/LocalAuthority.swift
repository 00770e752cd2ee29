import Foundation

/// A test's own certificate authority, and what it issues with OpenSSL's command line.
///
/// Libraries for certificates bring along a library for ciphers, which takes minutes to build.
struct LocalAuthority: Sendable {
    /// A certificate and its key.
    struct Identity: Sendable {
        let certificatePEM: String
        let keyPEM: String
        /// The SHA-256 of the public key, as it is pinned.
        let pin: String
    }

    /// What a certificate is for, as OpenSSL writes it.
    struct Name: Sendable {
        fileprivate let text: String

        static func host(_ name: String) -> Name { Name(text: "DNS:\(name)") }
        static func address(_ address: String) -> Name { Name(text: "IP:\(address)") }
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

    /// The certificate of the authority.
    let root: Identity

    /// Makes an authority.
    init(_ name: String = "Local authority") throws {
        root = try Self.identity(name, issuer: nil, validFor: .current, names: [], keyPEM: nil)
    }

    /// A certificate for these names.
    ///
    /// - Parameter keyPEM: its key; by default, a new one.
    func issue(_ names: Name..., validFor validity: Validity = .current, keyPEM: String? = nil) throws -> Identity {
        try Self.identity("Leaf", issuer: root, validFor: validity, names: names, keyPEM: keyPEM)
    }

    private static func identity(
        _ name: String, issuer: Identity?, validFor validity: Validity, names: [Name], keyPEM: String?
    ) throws -> Identity {
        let folder = FileManager.default.temporaryDirectory.appending(path: "LocalAuthority-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ text: String?, _ file: String) throws {
            try text.map { try Data($0.utf8).write(to: folder.appending(path: file)) }
        }
        func read(_ file: String) throws -> String {
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        try write(configuration(names: names), "ca.cnf")
        try write("", "index.txt")
        try write(String(format: "%016llX\n", UInt64.random(in: 1...UInt64.max / 2)), "serial")
        try write(keyPEM, "key.pem")
        try write(issuer?.certificatePEM, "ca.pem")
        try write(issuer?.keyPEM, "ca-key.pem")
        let limits = validity.limits
        let signing = issuer == nil ? "-selfsign -keyfile key.pem" : "-cert ca.pem -keyfile ca-key.pem"
        try run(
            """
            set -e
            [ -e key.pem ] || openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem
            openssl req -new -config ca.cnf -key key.pem -subj "/CN=\(name)" -out request.pem
            openssl ca -batch -notext -config ca.cnf -in request.pem -out certificate.pem \\
                -startdate \(time(limits.from)) -enddate \(time(limits.until)) \(signing) \
                -extensions \(issuer == nil ? "root" : "leaf")
            openssl pkey -in key.pem -pubout -outform DER -out key.der
            openssl dgst -sha256 -binary -out hash key.der
            """, in: folder)
        let hash = try Data(contentsOf: folder.appending(path: "hash"))
        return Identity(
            certificatePEM: try read("certificate.pem"), keyPEM: try read("key.pem"),
            pin: "sha256/\(hash.base64EncodedString())")
    }

    private static func configuration(names: [Name]) -> String {
        """
        [req]
        distinguished_name = name
        [name]
        [ca]
        default_ca = authority
        [authority]
        database = index.txt
        new_certs_dir = .
        serial = serial
        default_md = sha256
        policy = policy
        [policy]
        commonName = supplied
        [root]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, digitalSignature, keyCertSign
        [leaf]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        \(names.isEmpty ? "" : "subjectAltName = \(names.map(\.text).joined(separator: ", "))")

        """
    }

    /// The time as OpenSSL reads it: "20261128235959Z".
    private static func time(_ date: Date) -> String { "\(date.ISO8601Format().filter(\.isNumber))Z" }

    private static func run(_ script: String, in folder: URL) throws {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(output: String(decoding: text, as: UTF8.self))
        }
    }

    /// What OpenSSL has said, which may not be installed.
    struct Failure: Error {
        let output: String
    }
}
