#if canImport(CPiuPiuCurl)
    import CPiuPiuCodings
    import Foundation

    /// A content coding that can be decoded if its library is there (RFC 9110, section 8.4.1).
    package enum ContentCoding: String, CaseIterable {
        case deflate, gzip, br, zstd

        /// The value of `Accept-Encoding`; `nil` if there is no library.
        package static let accepted: String? = {
            let names = allCases.filter(\.isSupported).map(\.rawValue)
            return names.isEmpty ? nil : names.joined(separator: ", ")
        }()

        /// Reads a name of ``TransferHead/contentCodings``.
        init?(name: String) {
            self.init(rawValue: name == "x-gzip" ? "gzip" : name)
        }

        /// The number of its decoder.
        var decoder: piu_coding {
            switch self {
            case .deflate: PIU_DEFLATE
            case .gzip: PIU_GZIP
            case .br: PIU_BROTLI
            case .zstd: PIU_ZSTD
            }
        }

        /// Whether its library is there.
        package var isSupported: Bool { piu_decoder_exists(decoder) }

        /// The codings of a body, in the order in which they were applied; none if one of them is unsupported: a caller
        /// that asked for it can decode the body. None of a part either: only the whole can be decoded (RFC 9110,
        /// sections 14.2 and 15.3.7).
        package static func codings(of head: TransferHead) -> [ContentCoding] {
            guard head.status != 206 else { return [] }
            let names = head.contentCodings
            let codings = names.compactMap { ContentCoding(name: $0) }.filter(\.isSupported)
            return codings.count == names.count ? codings : []
        }
    }
#endif
