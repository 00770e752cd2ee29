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
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .secureConnectionFailed
            case .httpTooManyRedirects: .tooManyRedirects
            case .badURL: .unsupportedURL
            case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile: .fileNotFound
            case .unknown: Self(text: error.localizedDescription)
            default: .other
            }
    }

    /// The code that `URLSession` has for a failure of this kind.
    var urlErrorCode: URLError.Code? {
        switch self {
        case .cannotConnect: .cannotConnectToHost
        case .hostNotFound: .cannotFindHost
        case .timedOut: .timedOut
        case .connectionLost, .truncated: .networkConnectionLost
        case .badResponse: .badServerResponse
        case .secureConnectionFailed: .secureConnectionFailed
        case .tooManyRedirects: .httpTooManyRedirects
        case .unsupportedURL: .unsupportedURL
        case .fileNotFound: .fileDoesNotExist
        case .unreadableBody, .malformedDataURL, .sessionInvalidated, .other: nil
        }
    }

    /// What the text of a failed transfer tells, where libcurl's own code did not survive.
    private init(text: String) {
        let text = text.lowercased()
        func mentions(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        self =
            if mentions("bytes remaining", "outstanding read data") {
                .truncated
            } else if mentions("connection died") {
                // libcurl sent the request on several connections, and the server closed each.
                .connectionLost
            } else if mentions("ssl", "tls", "certificate") {
                .secureConnectionFailed
            } else if mentions("chunk", "header", "http/", "encoding", "content-length") {
                .badResponse
            } else {
                .other
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
