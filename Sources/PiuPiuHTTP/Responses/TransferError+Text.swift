import Foundation

extension TransferError {
    /// The key of the kind, as "TransferError.timedOut": see ``LocalizableError``.
    public var errorKey: String { "TransferError.\(kind.rawValue)" }

    /// What failed, and for which URL.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        let subject = url.textForErrors
        return switch kind {
        case .cannotConnect: "No connection to \(subject, as: "url") could be made."
        case .hostNotFound: "The host of \(subject, as: "url") could not be found."
        case .timedOut: "The request to \(subject, as: "url") timed out."
        case .connectionLost: "The connection to \(subject, as: "url") was lost before the response was complete."
        case .truncated: "The response of \(subject, as: "url") ended before it was complete."
        case .badResponse: "The server of \(subject, as: "url") sent no valid HTTP response."
        case .bodyTooLarge:
            """
            The response of \(subject, as: "url") has more than \(bodyLimit.map(String.init) ?? "the allowed", as: "limit") bytes, the \
            limit for a body in memory.
            """
        case .secureConnectionFailed: "No secure connection to \(subject, as: "url") could be made."
        case .untrustedAuthority: "The certificate of \(subject, as: "url") is signed by no trusted authority."
        case .wrongHost: "The certificate of \(subject, as: "url") is for another host."
        case .certificateExpired: "The certificate of \(subject, as: "url") has expired, or is not valid yet."
        case .pinMismatch: "The server of \(subject, as: "url") has none of the pinned public keys."
        case .clientCertificateRequired: "The server of \(subject, as: "url") requires a client certificate."
        case .clientCertificateRefused: "The server of \(subject, as: "url") refuses the client certificate."
        case .tooManyStreams:
            """
            The stream from \(subject, as: "url") was not started: the limit of open streams is reached, and none has \
            ended.
            """
        case .tooManyRedirects:
            "The request was redirected too often; the last address was \(subject, as: "url")."
        case .unsupportedURL:
            """
            The address \(subject, as: "url") cannot be loaded: its scheme, host or port is not supported.
            """
        case .fileNotFound: "There is no readable file at \(subject, as: "url")."
        case .unreadableBody: "The body of the request can't be read from \(subject, as: "url")."
        case .malformedDataURL: "The data URL \(subject, as: "url") is malformed."
        case .unsupportedSetting:
            "The request to \(subject, as: "url") was not sent: its engine doesn't support one of the settings."
        case .sessionInvalidated:
            "The request to \(subject, as: "url") was not sent: its dispatcher has been invalidated."
        case .other: "The request to \(subject, as: "url") failed."
        }
    }

    /// Why it failed, in the words of the underlying error.
    public var failureReason: String? {
        underlyingError?.localizedDescription
    }

    /// What can be done about it.
    public var recoverySuggestion: String? { advice.map(localizedAdvice) }

    private var advice: ErrorText? {
        switch kind {
        case .cannotConnect: "Check that the server is running and that the network allows the connection."
        case .hostNotFound: "Check the spelling of the host and the network connection."
        case .timedOut: "Try again, or give the request a longer timeout."
        case .connectionLost, .truncated: "Try again, if the request may be sent twice."
        case .badResponse: "Check that the address is that of an HTTP server."
        case .bodyTooLarge:
            """
            Download it to a file, read it as a stream, or raise the limit: the dispatcher's maximumBodySize, or that of \
            collected(upTo:).
            """
        case .secureConnectionFailed:
            """
            Check the server's certificate and the clock of this device. In an app of an Apple platform, App Transport \
            Security may forbid the connection: give the domain an exception in the Info.plist.
            """
        case .untrustedAuthority:
            """
            Configure the server to send its whole certificate chain. If the authority is one of your own, add it to \
            the authorities of a TransferSecurity.
            """
        case .wrongHost: "Use a host that the certificate names, or have it issued for this one."
        case .certificateExpired: "Renew the server's certificate, or correct the clock of this device."
        case .pinMismatch:
            "If the server has a new key, add its pin to the TransferSecurity; else don't trust the server."
        case .clientCertificateRequired: "Set the clientCertificate of a TransferSecurity."
        case .clientCertificateRefused: "Use a certificate that is valid, and of an authority that the server accepts."
        case .tooManyStreams:
            """
            Read or cancel the open streams, or raise httpMaximumConnectionsPerHost of the configuration or \
            exchangesPerOrigin of the engine's settings.
            """
        case .tooManyRedirects: "Check the server's redirects for a loop."
        case .unsupportedURL:
            "Use an http, https, file or data URL; a host name or IPv4 address; a port up to 65535."
        case .fileNotFound: "Check that the path names a regular file that this process may read."
        case .unreadableBody:
            """
            Check that the file of the body can be read, or that its stream can be read to its end. A stream can be \
            sent only once: to send it again, make a new one.
            """
        case .malformedDataURL: "A data URL reads data:[<media type>][;base64],<data>."
        case .unsupportedSetting:
            "Change the setting that the failure reason names. Check the certificates, the private key and its password."
        case .sessionInvalidated: "Send the request with a dispatcher that is still valid."
        case .other: nil
        }
    }

    /// The description and the reason, for logs.
    public var description: String {
        [errorDescription, failureReason].compactMap { $0 }.joined(separator: " ")
    }

    /// The same.
    public var debugDescription: String { description }
}
