import Foundation

extension TransferError {
    /// The error for what `URLSession` reported about `url`: typed, with the original inside.
    init(_ error: any Error, url: URL?) {
        guard let urlError = error as? URLError else {
            self.init(.other, url: url, underlyingError: error)
            return
        }
        self.init(Kind(urlError), url: url, underlyingError: urlError.naming(url))
    }
}

extension TransferError.Kind {
    /// The kind of failure behind a `URLError`. The codes are those that were seen on Linux, where one code can stand
    /// for several failures and only the text tells them apart, and those that Apple documents.
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

    /// The code that `URLSession` has for a failure of this kind.
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
    /// This error with the URL that failed, which URLSession leaves out for a timeout on Linux, and without the user name
    /// and password that it may have.
    fileprivate func naming(_ url: URL?) -> URLError {
        guard let url = (url ?? failingURL)?.withoutUserInfo else { return self }
        var info = errorUserInfo
        info[NSURLErrorFailingURLErrorKey] = url
        info["NSErrorFailingURLStringKey"] = nil
        return URLError(code, userInfo: info)
    }
}
