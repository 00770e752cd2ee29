#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation
    public import FoundationNetworking

    /// The engine over libcurl, which ``URLRequestDispatcher`` has by default on Linux.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(configuration: .ephemeral)   // over libcurl, on Linux
    /// print(CurlEngine.libraryVersion ?? "no libcurl: URLSession")
    /// ```
    ///
    /// It uses the libcurl that FoundationNetworking has loaded anyway. One thread for each engine waits for the network:
    /// it begins with the first exchange and ends after the engine and its last exchange. HTTP/1.1, and HTTP/2 over TLS;
    /// content codings are undone as far as the library at hand knows them.
    ///
    /// The proxies are those of the configuration's `connectionProxyDictionary`, by the keys that Apple has: `HTTPEnable`,
    /// `HTTPProxy`, `HTTPPort`, the same with `HTTPS` and with `SOCKS`, `ExceptionsList`, `kCFProxyUsernameKey` and
    /// `kCFProxyPasswordKey`; an empty dictionary is for none. Where it is `nil`, the variables `http_proxy`, `https_proxy`,
    /// `all_proxy` and `no_proxy` of the environment count.
    ///
    /// A server that listens on a Unix socket is reached by an engine of its own:
    ///
    /// ```swift
    /// let engine = CurlEngine(configuration: .ephemeral, unixSocketPath: "/var/run/docker.sock")
    /// let docker = engine.map { URLRequestDispatcher(engine: $0) }  // nil where there is no libcurl
    /// let version = docker?.dataFuture(from: URLRequest(url: url, method: .get))  // http://localhost/version
    /// ```
    ///
    /// The authorities that are trusted are those of the system, where libcurl was built to look for them or in the usual
    /// places of Linux; ``TransferSecurity`` can change that.
    ///
    /// A request is sent again behind the caller's back in one case only: if it is idempotent, and the connection, used
    /// before, turns out to be closed before anything of the answer has come.
    public final class CurlEngine: TransferEngine {
        /// What the configuration asks for.
        public let settings: TransferSettings
        private let inbox: CurlInbox
        private let lastIdentifier = Locked(0)

        /// Makes an engine.
        ///
        /// - Parameters:
        ///   - configuration: its headers, timeouts, connections per host, cookies and proxies count; see
        ///     ``TransferSettings/init(_:)``. Where it asks for a proxy that can't be had, as by an automatic configuration,
        ///     each request fails with ``TransferError/Kind/unsupportedSetting``.
        ///   - security: which servers are trusted. Where libcurl can't do what is asked for, or the key of a client
        ///     doesn't belong to its certificate, requests fail with ``TransferError/Kind/unsupportedSetting``.
        ///   - unixSocketPath: the Unix socket that all requests go to, redirected ones too, whatever their host, which is
        ///     in the `Host` header alone; `nil` for the network. Where nobody listens, requests fail with
        ///     ``TransferError/Kind/cannotConnect``, and with ``TransferError/Kind/unsupportedSetting`` where it is empty
        ///     or has more than 107 bytes.
        /// - Returns: `nil` where there is no libcurl in the process, or one before 7.66.
        public init?(
            configuration: URLSessionConfiguration = .default, security: TransferSecurity = TransferSecurity(),
            unixSocketPath: String? = nil
        ) {
            guard piu_load() == nil else { return nil }
            settings = TransferSettings(configuration)
            inbox = CurlInbox(CurlSetup(configuration, security, unixSocketPath: unixSocketPath))
        }

        deinit { inbox.close() }

        /// The library at hand: "libcurl/8.5.0 OpenSSL/3.0.13 …"; `nil` where there is none.
        public static var libraryVersion: String? {
            piu_load() == nil ? String(cString: piu_version_text()) : nil
        }

        /// Starts one hop of an exchange.
        public func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let identifier = lastIdentifier.withLock { last in
                last += 1
                return last
            }
            let isHeld = Locked(false)
            inbox.post(.start(identifier, request, isHeld, onEvent))
            return Handle(identifier: identifier, inbox: inbox, isHeld: isHeld)
        }

        /// Lets what runs come to its end, and refuses what comes.
        public func finishTasksAndInvalidate() {
            inbox.post(.refuseOthers)
        }

        /// Cancels what runs, and refuses what comes.
        public func invalidateAndCancel() {
            inbox.post(.refuseOthers)
            inbox.post(.cancelAll)
        }

        private struct Handle: TransferHandle {
            let identifier: Int
            let inbox: CurlInbox
            let isHeld: Locked<Bool>

            func cancel() { inbox.post(.cancel(identifier)) }

            // No command: libcurl reads many megabytes before the next one would be taken.
            func pause() { isHeld.withLock { $0 = true } }

            func resume() {
                isHeld.withLock { $0 = false }
                inbox.post(.resume(identifier))
            }
        }
    }
#endif
