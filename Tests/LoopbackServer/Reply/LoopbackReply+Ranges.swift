extension LoopbackReply {
    /// The first `count` bytes of ``LoopbackPattern``, or the part that the request's `Range` and `If-Range` ask for.
    ///
    /// - Parameters:
    ///   - validator: The version of the content: a handler that gives another one the next time changes it.
    ///   - cut: After this many bytes of a body the connection closes, although the head announces all of it.
    ///   - isResumable: Whether the request's `Range` is obeyed; otherwise `Accept-Ranges` is left out, too.
    public static func ranged(
        count: Int, for request: RecordedRequest, validator: LoopbackValidator = .entityTag("v1"), cut: Int? = nil,
        isResumable: Bool = true
    ) -> LoopbackReply {
        let count = max(0, count)
        var headers = validator.headers
        if isResumable { headers.append(LoopbackHeader("Accept-Ranges", "bytes")) }
        let wanted = isResumable ? wantedRange(of: request, count: count, validator: validator) : .whole
        let range: Range<Int>
        switch wanted {
        case .whole:
            range = 0..<count
        case .part(let part):
            range = part
            headers.append(
                LoopbackHeader("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(count)"))
        case .unsatisfiable:
            headers.append(LoopbackHeader("Content-Range", "bytes */\(count)"))
            return .json("{\"error\":\"range\"}", status: 416, headers: headers)
        }
        headers.append(LoopbackHeader("Content-Type", "application/octet-stream"))
        headers.append(LoopbackHeader("Content-Length", String(range.count)))
        let body: [Step] =
            if let cut { [.patternRange(range.prefix(max(0, cut))), .close] } else { [.patternRange(range)] }
        return LoopbackReply(steps: [.head(status: wanted == .whole ? 200 : 206, headers: headers)] + body)
    }

    /// Only a GET can ask for a part (RFC 9110, 14.2), and only of the version that it names, if it names one.
    private static func wantedRange(
        of request: RecordedRequest, count: Int, validator: LoopbackValidator
    ) -> ByteRangeRequest {
        guard request.method == "GET", let range = request.header("Range") else { return .whole }
        if let version = request.header("If-Range"), !validator.isMet(byIfRange: version) { return .whole }
        return ByteRangeRequest(range, length: count)
    }
}
