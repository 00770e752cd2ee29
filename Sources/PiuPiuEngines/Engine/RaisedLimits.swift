/// The limits of the hosts that take more exchanges than others do.
///
/// When there are many, it forgets those of idle hosts, as a crawler visits new hosts all the time. The next response
/// of such a host raises its limit again.
struct RaisedLimits: Sendable {
    private var limits: [String: Int] = [:]
    /// How many it keeps. At least twice as many as are busy, so that one more takes constant time on average.
    private var capacity = Self.smallestCapacity

    private static let smallestCapacity = 1_000

    subscript(host: String) -> Int? { limits[host] }

    var count: Int { limits.count }

    mutating func remove(_ host: String) { limits[host] = nil }

    mutating func set(_ limit: Int, of host: String, isBusy: (String) -> Bool) {
        if limits.count >= capacity {
            limits = limits.filter { isBusy($0.key) }
            capacity = max(Self.smallestCapacity, 2 * limits.count)
        }
        limits[host] = limit
    }
}
