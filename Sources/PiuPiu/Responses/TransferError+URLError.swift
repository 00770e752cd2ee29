package import Foundation

extension TransferError {
    /// The typed error for an error of `URLSession` about `url`, with the original inside.
    package init(_ error: any Error, url: URL?) {
        guard let urlError = error as? URLError else {
            self.init(.other, url: url, underlyingError: error)
            return
        }
        self.init(Kind(urlError), url: url, underlyingError: urlError.naming(url))
    }
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
            // Only http and https reach the session, so on Linux this is a bad status line.
            case .unsupportedURL: .badResponse
            case .dataLengthExceedsMaximum: .bodyTooLarge
            case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: .secureConnectionFailed
            case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: .untrustedAuthority
            case .serverCertificateHasBadDate, .serverCertificateNotYetValid: .certificateExpired
            case .clientCertificateRequired: .clientCertificateRequired
            case .clientCertificateRejected: .clientCertificateRefused
            case .httpTooManyRedirects: .tooManyRedirects
            case .badURL: .unsupportedURL
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile: .fileNotFound
            case .unknown: Self(libcurlText: error.localizedDescription)
            default: .other
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

extension URLError {
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
