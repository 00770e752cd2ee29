extension LoopbackRoutes {
    /// `/ranged/{count}`: bytes of ``LoopbackPattern`` whose download can be resumed.
    ///
    /// Query: `etag=` (`v1`), `weak=1`, `validator=none` or `date`, `cut=` (closes after so many bytes of the body) and
    /// `ranges=ignored`. See ``LoopbackReply/ranged(count:for:validator:cut:isResumable:)``.
    public static let ranges = LoopbackRoutes([
        LoopbackRoute("GET", "/ranged/{count}") { request in
            guard let count = request.number("count"), count >= 0 else { return badRequest }
            return .ranged(
                count: count, for: request, validator: validator(for: request),
                cut: request.queryItem("cut").flatMap { Int($0) },
                isResumable: request.queryItem("ranges") != "ignored")
        }
    ])

    private static func validator(for request: RecordedRequest) -> LoopbackValidator {
        switch request.queryItem("validator") {
        case "none": .none
        case "date": .lastModified()
        default: .entityTag(request.queryItem("etag") ?? "v1", isWeak: request.queryItem("weak") == "1")
        }
    }
}
