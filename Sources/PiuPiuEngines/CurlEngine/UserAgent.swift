#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation

    /// The `User-Agent` of a request without one (RFC 9110, section 10.1.5): some servers refuse a request that has none.
    package enum UserAgent {
        /// As `URLSession` has it, the name of the process and the version of libcurl.
        static let standard = text(
            process: ProcessInfo.processInfo.processName,
            library: String(String(cString: piu_version_text()).prefix { $0 != " " }))

        /// Such as "Blog PiuPiu libcurl/8.5.0".
        ///
        /// - Parameters:
        ///   - process: the name of the process; what can't be in the name of a product is left out.
        ///   - library: the name and the version of the library.
        package static func text(process: String, library: String) -> String {
            let name = String(decoding: process.utf8.filter { PercentEncoding.isUnreserved($0) }, as: UTF8.self)
            return [name, "PiuPiu", library].filter { !$0.isEmpty }.joined(separator: " ")
        }
    }
#endif
