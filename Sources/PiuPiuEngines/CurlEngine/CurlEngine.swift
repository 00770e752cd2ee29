#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation
    public import FoundationNetworking

    /// The engine over libcurl: the default of ``URLRequestDispatcher`` on Linux.
    ///
    /// ```swift
    /// let dispatcher = URLRequestDispatcher(configuration: .ephemeral)   // over libcurl, on Linux
    /// print(CurlEngine.libraryVersion ?? "libcurl is too old: URLSession")
    /// ```
    ///
    /// It uses the libcurl that FoundationNetworking brings along. Each engine has one thread, which waits for the
    /// network: it begins with the first exchange, and ends after the engine and its last exchange. It speaks HTTP/1.1,
    /// and HTTP/2 over TLS. It decodes gzip and deflate, and Brotli and Zstandard where libcurl brings their libraries
    /// along; a body with another coding arrives as it is, and so does a part of a coded one (206). A body of Zstandard
    /// that needs more than 8 MiB of memory to be decoded is a bad response (RFC 9659). It looks up the names of up to
    /// 64 hosts at once, or of fewer where the process may have few descriptors; further requests wait for that, and
    /// their timeouts run. A look-up whose request is cancelled or times out is none of the 64 any more, but its thread
    /// goes on until the system gives up: within a minute, usually.
    ///
    /// A request without a `User-Agent`, of its own or of the configuration, is sent with the names of the process and of
    /// this package and the version of libcurl: "Blog PiuPiu libcurl/8.5.0".
    ///
    /// The proxies are those of the configuration's `connectionProxyDictionary`, with Apple's keys: `HTTPEnable`,
    /// `HTTPProxy`, `HTTPPort`, the same with `HTTPS` and with `SOCKS`, `ExceptionsList`, `kCFProxyUsernameKey` and
    /// `kCFProxyPasswordKey`. The exceptions are names, each also for those below it, the same with `*.` or a dot before
    /// them, addresses, networks of IPv4 such as `169.254/16` with a libcurl from 7.86 on, or `*` for all hosts; with any
    /// other one, such as `intra*`, each request fails with ``TransferError/Kind/unsupportedSetting``. An empty dictionary
    /// means no proxy. If it is `nil`, the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`
    /// count, unless there was no proxy when the engine was made.
    ///
    /// A server that listens on a Unix socket needs its own engine:
    ///
    /// ```swift
    /// let engine = CurlEngine(configuration: .ephemeral, unixSocketPath: "/var/run/docker.sock")
    /// let docker = engine.map { URLRequestDispatcher(engine: $0) }  // nil if libcurl is too old
    /// let version = docker?.dataFuture(from: URLRequest(url: url, method: .get))  // http://localhost/version
    /// ```
    ///
    /// An engine may give up a host that doesn't answer long before the timeout of a request, which also limits how long
    /// the server thinks:
    ///
    /// ```swift
    /// let engine = CurlEngine(configuration: .ephemeral, connectTimeout: .seconds(2))
    /// let dispatcher = engine.map { URLRequestDispatcher(engine: $0).retrying() }
    /// ```
    ///
    /// What a server sends on an idle connection is no answer to the next request. To make sure of that, each request
    /// over a Unix socket gets a new connection. Over the network a libcurl before 7.80 may still take it for the answer
    /// to a request that it may repeat and that has no body.
    ///
    /// It trusts the authorities of the system, in libcurl's built-in place or the usual places of Linux;
    /// ``TransferSecurity`` can change that.
    ///
    /// An upload in chunks whose length isn't announced goes over HTTP/1.1, on connections for its like, if the scheme is
    /// `https`: its end on a connection of HTTP/2 makes libcurl lose parts of other responses (seen with 7.88). A server
    /// that speaks HTTP/2 only, or asks for a length, needs the length. A second thread carries such uploads.
    ///
    /// It repeats a request by itself in one case only: if the request is idempotent, or has an `Idempotency-Key`, and
    /// a reused connection is closed before anything of the answer has come. It does so once; with a libcurl before
    /// 7.80, up to five times. There another request, or one that has a body, gets a new connection. It sends no
    /// `Expect: 100-continue`, even if a request has that: libcurl would send the request again after a 417.
    public final class CurlEngine: TransferEngine {
        /// The settings of the configuration.
        public let settings: TransferSettings
        private let inbox: CurlInbox
        /// For bodies of unknown length over TLS, whose connections no other request may use: see
        /// ``CurlConnecting/optionsOfUnknownLength``.
        private let inboxOfUnknownLength: CurlInbox
        private let lastIdentifier = Locked(0)

        /// Makes an engine.
        ///
        /// - Parameters:
        ///   - configuration: its headers, timeouts, connections per host, cookies and proxies count; see
        ///     ``TransferSettings/init(_:)``. If it asks for an unsupported proxy, such as automatic configuration,
        ///     each request fails with ``TransferError/Kind/unsupportedSetting``.
        ///   - security: which servers are trusted. If libcurl doesn't support it, or if the key of a client doesn't
        ///     belong to its certificate, requests fail with ``TransferError/Kind/unsupportedSetting``.
        ///   - unixSocketPath: the Unix socket for all requests, including redirected ones; `nil` for the network. The
        ///     host of a request is only in its `Host` header. If no server listens, requests fail with
        ///     ``TransferError/Kind/cannotConnect``. If the path is empty, has more than 107 bytes or contains a zero
        ///     byte, they fail with ``TransferError/Kind/unsupportedSetting``.
        ///   - connectTimeout: how long a new connection may take, with the look-up of its host and TLS; `nil` for no
        ///     other limit than the timeout of the request. When it is over, the request fails with
        ///     ``TransferError/Kind/cannotConnect``: it was not sent, so a ``RetryPolicy`` may repeat a POST, too. Of
        ///     several addresses of a host, each is given up after half of what is left. Zero or less is a millisecond.
        ///     A libcurl before 7.87 doesn't support it: each request fails with
        ///     ``TransferError/Kind/unsupportedSetting``.
        /// - Returns: `nil` if the process has no libcurl, or one before 7.66.
        public init?(
            configuration: URLSessionConfiguration = .default, security: TransferSecurity = TransferSecurity(),
            unixSocketPath: String? = nil, connectTimeout: Duration? = nil
        ) {
            guard CurlLibrary.isUsable else { return nil }
            settings = TransferSettings(configuration)
            let setup = CurlSetup(
                configuration, security, unixSocketPath: unixSocketPath, connectTimeout: connectTimeout)
            (inbox, inboxOfUnknownLength) = (CurlInbox(setup), CurlInbox(setup))
        }

        /// Makes an engine whose thread is started by `startThread`.
        package init?(configuration: URLSessionConfiguration, startThread: @escaping CurlThread.Start) {
            guard CurlLibrary.isUsable else { return nil }
            settings = TransferSettings(configuration)
            let setup = CurlSetup(configuration, TransferSecurity())
            inbox = CurlInbox(setup, startThread: startThread)
            inboxOfUnknownLength = CurlInbox(setup, startThread: startThread)
        }

        deinit {
            inbox.close()
            inboxOfUnknownLength.close()
        }

        /// The version of the library: "libcurl/8.5.0 OpenSSL/3.0.13 …"; `nil` if there is none, or one before 7.66.
        public static var libraryVersion: String? {
            CurlLibrary.isUsable ? String(cString: piu_version_text()) : nil
        }

        /// Starts one hop of an exchange.
        public func start(
            _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void
        ) -> any TransferHandle {
            let hasOwnConnection = request.body.hasUnknownLength && request.urlRequest.url?.isSecure == true
            let inbox = hasOwnConnection ? inboxOfUnknownLength : inbox
            let identifier = lastIdentifier.withLock { last in
                last += 1
                return last
            }
            let reading = Locked(CurlReading())
            let supplier = request.chunks.map { chunks in
                CurlSupplier(chunks) { chunk in
                    await withCheckedContinuation { inbox.post(.supply(identifier, CurlSupply(chunk, $0))) }
                }
            }
            inbox.post(.start(identifier, request, supplier, reading, onEvent))
            return Handle(identifier: identifier, inbox: inbox, reading: reading)
        }

        /// Lets the running exchanges end, and refuses new ones.
        public func finishTasksAndInvalidate() {
            for inbox in [inbox, inboxOfUnknownLength] { inbox.invalidate(cancelling: false) }
        }

        /// Cancels the running exchanges, and refuses new ones.
        public func invalidateAndCancel() {
            for inbox in [inbox, inboxOfUnknownLength] { inbox.invalidate(cancelling: true) }
        }

        private struct Handle: ExplainedHandle {
            let identifier: Int
            let inbox: CurlInbox
            let reading: Locked<CurlReading>

            func cancel(because error: any Error) {
                inbox.post(.cancel(identifier, hasTimedOut: (error as? TransferError)?.kind == .timedOut))
            }

            /// A server that has answered, and takes the rest of the request's body no more, needn't say so.
            func recover(from error: any Error) -> Bool { endWithAnswer(isUrgent: true) }

            func endWithAnswer(isUrgent: Bool) -> Bool {
                guard reading.withLock({ $0.isWhole && (isUrgent || !$0.isStarved) }) else { return false }
                inbox.post(.finish(identifier))
                return true
            }

            // Not a command: libcurl reads many megabytes before the loop handles the next command.
            func pause() { reading.withLock { $0.isHeld = true } }

            func resume() {
                reading.withLock { $0.isHeld = false }
                inbox.post(.resume(identifier))
            }
        }
    }

    extension CurlEngine: TasklessEngine {}

    extension CurlEngine: CustomReflectable {
        /// Empty: there may be passwords of a proxy and of a client's key.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
