#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The engine of a dispatcher that was made without one.
package enum StandardEngine {
    /// libcurl if available, as `URLSession` on Linux is a thin layer over it, with faults that end a process.
    package static func make(
        _ configuration: URLSessionConfiguration, _ security: TransferSecurity
    ) -> any TransferEngine {
        #if canImport(CPiuPiuCurl)
            if let engine = CurlEngine(configuration: configuration, security: security) { return engine }
        #endif
        return URLSessionEngine(configuration: configuration, security: security)
    }
}
