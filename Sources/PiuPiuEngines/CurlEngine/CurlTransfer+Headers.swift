#if canImport(CPiuPiuCurl)
    import Foundation
    import FoundationNetworking

    // The headers of a request as they are sent.

    extension CurlTransfer {
        private static let acceptLine = ContentCoding.accepted.map { "Accept-Encoding: \($0)" }
        private static let agentLine = "User-Agent: \(UserAgent.standard)"

        /// Adds the headers of the request, and those that it lacks.
        func addHeaders(to pointer: OpaquePointer) throws(TransferError) {
            var (hasCodings, isRange, hasAgent) = (false, false, false)
            for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
                switch name.lowercased() {
                // libcurl decides about these. After a 417 it would send a request with an `Expect` again, and pass on
                // the body of the second answer as that of the first.
                case "content-length", "expect": continue
                case "accept-encoding": hasCodings = true
                case "range": isRange = true
                case "user-agent": hasAgent = true
                default: break
                }
                // For libcurl a semicolon means a header without a value, and blanks after a colon none at all.
                let isBlank = value.allSatisfy { $0 == " " || $0 == "\t" }
                try addHeader(isBlank ? "\(name);" : "\(name): \(value)", to: pointer)
            }
            // A range may begin in the middle of a coded body.
            if !hasCodings, let line = isRange ? "Accept-Encoding: identity" : Self.acceptLine {
                try addHeader(line, to: pointer)
            }
            if !hasAgent { try addHeader(Self.agentLine, to: pointer) }
        }
    }
#endif
