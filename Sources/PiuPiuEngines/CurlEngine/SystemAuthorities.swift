#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation

    /// The certificate authorities of the system.
    package struct SystemAuthorities: Sendable {
        /// The places of the distributions. libcurl may run on another distribution than the one that it was built for.
        private static let usualFiles = [
            "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Alpine, Arch
            "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL, Amazon Linux
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
            "/etc/ssl/ca-bundle.pem",  // SUSE
            "/etc/ssl/cert.pem",
        ]

        package static let standard = SystemAuthorities(
            builtIn: CurlLibrary.isUsable ? piu_authorities().map { String(cString: $0) } : nil, usual: usualFiles)

        /// The file of another distribution, if libcurl's built-in one is missing.
        package let substitute: String?

        private let file: String?

        /// Looks for the file.
        package init(builtIn: String?, usual: [String]) {
            // Without a built-in file libcurl may use a folder, or is too old to report the file.
            func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
            if let builtIn, exists(builtIn) {
                (file, substitute) = (builtIn, nil)
            } else {
                file = usual.first(where: exists)
                substitute = file
            }
        }

        /// The authorities as PEM; empty if there are none.
        var pem: String {
            guard let file, let data = FileManager.default.contents(atPath: file) else { return "" }
            return String(decoding: data, as: UTF8.self)
        }
    }
#endif
