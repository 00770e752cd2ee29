import Foundation

extension LoopbackRoutes {
    /// `/fault/{name}` for each fault. The last three kill a process in FoundationNetworking: for child processes only.
    public static let faults = LoopbackRoutes(
        faultReplies.map { name, reply in LoopbackRoute("*", "/fault/\(name)") { _ in reply } })

    /// The names of the faults, in their order.
    public static var faultNames: [String] { faultReplies.map(\.name) }

    private static let faultReplies: [(name: String, reply: LoopbackReply)] = [
        ("close", .close),
        ("reset", .reset),
        ("reset-mid-body", .resetMidBody()),
        ("truncate", .truncated()),
        ("overlong", .overlong()),
        ("bad-chunk", .badChunk),
        ("truncate-chunk", .truncatedChunk),
        ("garbage", .garbage),
        ("stall", .stall),
        ("stall-after-head", .stallAfterHead()),
        ("stall-mid-body", .stallMidBody()),
        ("huge-headers", .hugeHeader()),
        ("header-flood", .headerFlood()),
        ("no-content-with-body", .forbiddenBody(status: 204)),
        ("not-modified-with-body", .forbiddenBody(status: 304)),
        ("wrong-content-type", .wrongContentType),
        ("trailers", .trailers),
        ("close-mid-head", .closeMidHead),
        ("huge-length", .hugeLength),
    ]
}
