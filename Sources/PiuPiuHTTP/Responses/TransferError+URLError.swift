package import Foundation

extension TransferError {
    /// The typed error for an error of `URLSession` about `url`, with the original inside.
    package init(_ error: any Error, url: URL?) {
        guard let urlError = error as? URLError else {
            // `URLSession` on Apple platforms passes on some errors of a broken connection as they are.
            let isOfConnection = (error as? POSIXError).map { Self.brokenConnection.contains($0.code) } ?? false
            self.init(isOfConnection ? .connectionLost : .other, url: url, underlyingError: error)
            return
        }
        self.init(Kind(urlError), url: url, underlyingError: urlError.naming(url))
    }

    private static let brokenConnection: Set<POSIXError.Code> = [.ECONNABORTED, .ECONNRESET, .ENOTCONN, .EPIPE]
}

extension TransferError.Kind {
    /// The kind of a `URLError`. The codes are those seen on Linux and those that Apple documents. On Linux one code
    /// can stand for several failures, which differ only in the text.
    fileprivate init(_ error: URLError) {
        self =
            switch error.code {
            case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .dataNotAllowed,
                .callIsActive:
                .cannotConnect
            case .cannotFindHost, .dnsLookupFailed: .hostNotFound
            case .timedOut: .timedOut
            case .networkConnectionLost: .connectionLost
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
                .zeroByteResource, .redirectToNonExistentLocation:
                .badResponse
            case .dataLengthExceedsMaximum: .bodyTooLarge
            case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: .secureConnectionFailed
            case .serverCertificateUntrusted: Self(certificateCodes: error.streamCodes)
            case .serverCertificateHasUnknownRoot: .untrustedAuthority
            case .serverCertificateHasBadDate, .serverCertificateNotYetValid: .certificateExpired
            case .clientCertificateRequired: .clientCertificateRequired
            case .clientCertificateRejected: .clientCertificateRefused
            case .httpTooManyRedirects: .tooManyRedirects
            case .unsupportedURL: Self.ofUnsupportedURL
            case .badURL: .unsupportedURL
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile: .fileNotFound
            case .unknown: Self(libcurlText: error.localizedDescription)
            default: .other
            }
    }

    /// The kind of `URLError.unsupportedURL`. Only http and https reach the session, where on Linux it is a bad status
    /// line.
    private static var ofUnsupportedURL: Self {
        #if canImport(FoundationNetworking)
            .badResponse
        #else
            .unsupportedURL
        #endif
    }

    /// The kind of a certificate that isn't trusted. On Apple platforms one `URLError` also stands for a wrong host and
    /// a wrong date; the codes of Secure Transport tell them apart.
    private init(certificateCodes codes: [Int]) {
        self =
            if codes.contains(-9843) {  // errSSLHostNameMismatch
                .wrongHost
            } else if codes.contains(-9814) || codes.contains(-9815) {  // errSSLCertExpired, errSSLCertNotYetValid
                .certificateExpired
            } else {
                .untrustedAuthority
            }
    }

    /// The code of `URLSession` for a failure of this kind.
    var urlErrorCode: URLError.Code? {
        switch self {
        case .cannotConnect: .cannotConnectToHost
        case .hostNotFound: .cannotFindHost
        case .timedOut, .tooManyStreams: .timedOut
        case .connectionLost, .truncated: .networkConnectionLost
        case .badResponse: .badServerResponse
        case .bodyTooLarge: .dataLengthExceedsMaximum
        case .secureConnectionFailed, .pinMismatch: .secureConnectionFailed
        case .untrustedAuthority, .wrongHost: .serverCertificateUntrusted
        case .certificateExpired: .serverCertificateHasBadDate
        case .clientCertificateRequired: .clientCertificateRequired
        case .clientCertificateRefused: .clientCertificateRejected
        case .tooManyRedirects: .httpTooManyRedirects
        case .unsupportedURL: .unsupportedURL
        case .fileNotFound: .fileDoesNotExist
        case .unreadableBody, .malformedDataURL, .unsupportedSetting, .sessionInvalidated, .other: nil
        }
    }
}

extension TransferError {
    /// Whether the server has closed the connection in order, as far as the error tells: for that and for a reset Apple
    /// platforms have one `URLError`, with another error beneath it.
    package var isOrderlyEnd: Bool { (underlyingError as? URLError)?.isOrderlyEnd == true }
}

extension URLError {
    /// Whether it is HTTP that found the connection closed (kCFStreamErrorDomainHTTP), and not the system.
    fileprivate var isOrderlyEnd: Bool {
        let domains = levels.compactMap { $0["_kCFStreamErrorDomainKey"] as? Int }
        return !domains.isEmpty && domains.allSatisfy { $0 == 4 }
    }

    /// The codes of the stream below, on Apple platforms: those of this error and of the errors beneath it.
    fileprivate var streamCodes: [Int] { levels.compactMap { $0["_kCFStreamErrorCodeKey"] as? Int } }

    /// What is known of this error and, in order, of the errors beneath it.
    private var levels: [[String: Any]] {
        var levels = [errorUserInfo]
        // An end, in case that an error is beneath itself.
        while levels.count < 8, let next = levels.last?[NSUnderlyingErrorKey] as? any Error {
            levels.append((next as NSError).userInfo)
        }
        return levels
    }

    /// This error with the failing URL, without its user name and password. `URLSession` on Linux omits the URL for a
    /// timeout.
    fileprivate func naming(_ url: URL?) -> URLError {
        guard let url = (url ?? failingURL)?.withoutUserInfo else { return self }
        var info = errorUserInfo
        info[NSURLErrorFailingURLErrorKey] = url
        info["NSErrorFailingURLStringKey"] = nil
        return URLError(code, userInfo: info)
    }
}
