#if canImport(CPiuPiuCurl)
    // The numbers of libcurl's public interface (https://curl.se/libcurl/c/), which has kept them since 2006.

    /// Options of a transfer: libcurl's `CURLOPT_…`.
    package enum CurlOption: Int32 {
        case sslVersion = 32, nobody = 44, upload = 46, freshConnect = 74, forbidReuse = 75, httpVersion = 84
        case bufferSize = 98, noSignal = 99
        case connectTimeout = 156, protocols = 181
        case pathAsIs = 234, pipeWait = 237, suppressConnectHeaders = 265, uploadBufferSize = 280
        case authoritiesTimeout = 321, quickExit = 322
        case proxy = 10_004, sslCertificate = 10_025, keyPassword = 10_026, customRequest = 10_036
        case authorityFile = 10_065, sslKey = 10_087, authorityFolder = 10_097
        case proxyUserName = 10_175, proxyPassword = 10_176, noProxy = 10_177, pinnedPublicKey = 10_230
        case unixSocketPath = 10_231, lookUpContext = 10_273, lookUpCallback = 20_272
        case bodyLength = 30_115
    }

    /// Facts about a transfer: libcurl's `CURLINFO_…`.
    enum CurlInfo: Int32 {
        case headerSize = 0x20000B, requestSize = 0x20000C, sslVerifyResult = 0x20000D
        case newConnections = 0x20001A, uploadSize = 0x600007, downloadSize = 0x600008
        /// Times are in microseconds, from the start of the transfer.
        case totalTime = 0x600032, nameLookUpTime = 0x600033, connectTime = 0x600034, firstByteTime = 0x600036
        case secureConnectionTime = 0x600038
    }

    /// Results: libcurl's `CURLE_…`.
    enum CurlCode: Int32 {
        case ok = 0, unsupportedProtocol = 1, malformedURL = 3, notBuiltIn = 4, proxyNotFound = 5, hostNotFound = 6
        case cannotConnect = 7, weirdServerReply = 8, http2 = 16, partialFile = 18, writeError = 23, outOfMemory = 27
        case timedOut = 28, sslConnectError = 35
        case abortedByCallback = 42, badFunctionArgument = 43, gotNothing = 52, sslEngineNotFound = 53
        case sslEngineSetFailed = 54, sendError = 55, receiveError = 56, sslCertificateProblem = 58, sslCipher = 59
        case peerFailedVerification = 60, badContentEncoding = 61, fileSizeExceeded = 63, sendFailRewind = 65
        case authoritiesUnreadable = 77, sslShutdownFailed = 80, sslRevocationListUnreadable = 82, sslIssuerError = 83
        case pinnedPublicKeyMismatch = 90, sslInvalidCertificateStatus = 91, http2Stream = 92, proxyHandshake = 97
        case sslClientCertificate = 98, tooLarge = 100
    }

    /// The results of callbacks that read or receive a part of a body.
    enum CurlAnswer {
        static let pauseWriting = 0x1000_0001
        /// Any count but that of the part.
        static let abortWriting = 0
        static let pauseReading = 0x1000_0001
        static let abortReading = 0x1000_0000
        static let canSeek: Int32 = 0
        static let cannotSeek: Int32 = 1
    }

    /// Directions to pause: libcurl's `CURLPAUSE_…`.
    enum CurlPause {
        static let receive: Int32 = 1
        static let send: Int32 = 4
    }
#endif
