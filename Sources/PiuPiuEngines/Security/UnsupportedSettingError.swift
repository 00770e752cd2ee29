import Foundation

/// An engine doesn't support one of its settings, so it sends nothing.
///
/// It is the ``TransferError/underlyingError`` of ``TransferError/Kind/unsupportedSetting``.
public enum UnsupportedSettingError: LocalizableError, Equatable {
    /// `URLSession` on Linux supports no ``TransferSecurity``.
    case security
    /// `URLSession` supports no client certificate as PEM.
    case clientCertificate
    /// `URLSession` can't answer futures from a session for the background.
    case backgroundSession
    /// `URLSession` on Linux ignores a configuration's `connectionProxyDictionary`.
    case proxy
    /// The entry of the configuration's `connectionProxyDictionary` under this key is not supported.
    case proxyEntry(String)
    /// The path of a Unix socket is empty, is longer than the limit of Linux, 107 bytes, or contains a zero byte.
    case unixSocketPath(String)
    /// This key of ``TransferSecurity/pinsByHost`` is no host.
    case pinnedHost(String)
    /// A libcurl before 7.87 would wait for a name server longer than the time limit of a connection.
    case connectTimeout
    /// The system can't create a file in memory, which libcurl needs for certificates.
    case memory

    /// The key of the case, as "UnsupportedSettingError.security": see ``LocalizableError``.
    public var errorKey: String {
        switch self {
        case .security: "UnsupportedSettingError.security"
        case .clientCertificate: "UnsupportedSettingError.clientCertificate"
        case .backgroundSession: "UnsupportedSettingError.backgroundSession"
        case .proxy: "UnsupportedSettingError.proxy"
        case .proxyEntry: "UnsupportedSettingError.proxyEntry"
        case .unixSocketPath: "UnsupportedSettingError.unixSocketPath"
        case .pinnedHost: "UnsupportedSettingError.pinnedHost"
        case .connectTimeout: "UnsupportedSettingError.connectTimeout"
        case .memory: "UnsupportedSettingError.memory"
        }
    }

    /// The unsupported setting, and what to do about it.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        switch self {
        case .security:
            """
            URLSession doesn't support a TransferSecurity on Linux. Use the default engine: \
            URLRequestDispatcher(configuration:security:).
            """
        case .clientCertificate:
            """
            URLSession doesn't support a client certificate as PEM. Answer the challenge with an identity of the \
            keychain, in TransferSecurity.challengeHandler.
            """
        case .backgroundSession:
            """
            A session for the background is not supported. Use another configuration, such as .default or .ephemeral.
            """
        case .proxy:
            """
            URLSession ignores a connectionProxyDictionary on Linux. Use the default engine: \
            URLRequestDispatcher(configuration:).
            """
        case .proxyEntry(let key):
            """
            The entry \(key.quotedForErrors, as: "key") of the connectionProxyDictionary is not supported. Give a host \
            and a port, with HTTPEnable, HTTPSEnable or SOCKSEnable. An ExceptionsList takes names, *.names, addresses \
            and, with libcurl 7.86 or newer, networks such as 10.0.0.0/8.
            """
        case .unixSocketPath(let path):
            """
            \(path.quotedForErrors, as: "path") can't be the path of a Unix socket, which has 1 to 107 bytes, none of \
            them zero. Give another one, through a symbolic link for example.
            """
        case .pinnedHost(let key):
            """
            \(key.quotedForErrors, as: "key") in TransferSecurity.pinsByHost is not a host. Give a name such as \
            example.com, or an address, without a scheme, a port or a wildcard.
            """
        case .connectTimeout:
            """
            A time limit of its own for connections needs libcurl 7.87 or newer. Leave it out, and give requests a \
            shorter timeout.
            """
        case .memory:
            "There is no memory or descriptor for the certificates. Make fewer dispatchers, and share them."
        }
    }
}
