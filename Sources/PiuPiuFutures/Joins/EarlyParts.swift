/// Begins the parts of joins that begin on the caller, in order: a part may be a join itself, whose parts come before
/// the next one. A list instead of a recursion, so that joins may be nested to any depth (contract rule DEPTH).
final class EarlyParts {
    private struct Remaining {
        var places: Range<Int>
        let begin: (Int) -> Void
        let completion: () -> Void
    }

    /// That of the outermost join on this thread.
    private static let current = ThreadLocal<EarlyParts>()

    private var remaining: [Remaining] = []

    private init() {}

    /// Begins the parts, and then calls `completion`, before this returns, unless it is called where another part
    /// begins: then as soon as that one has begun.
    static func begin(_ places: Range<Int>, begin: @escaping (Int) -> Void, completion: @escaping () -> Void) {
        let new = Remaining(places: places, begin: begin, completion: completion)
        if let current = current.current { return current.remaining.append(new) }
        let list = EarlyParts()
        list.remaining.append(new)
        current.withValue(list) { list.beginAll() }
    }

    /// Runs what may call code of others, as a legacy action, the end of a join or a deinit: what that code starts
    /// begins before its `send()` returns (contract rule SYNC-START).
    static func callOut<Output>(_ body: () -> Output) -> Output {
        current.current == nil ? body() : current.withValue(nil, body)
    }

    private func beginAll() {
        while let last = remaining.indices.last {
            if let place = remaining[last].places.popFirst() {
                remaining[last].begin(place)
            } else {
                remaining.removeLast().completion()
            }
        }
    }
}
