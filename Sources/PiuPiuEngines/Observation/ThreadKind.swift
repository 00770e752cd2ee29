import Foundation

/// Whether a thread is the main one, looked up once for each thread: on Linux the look-up is slow.
enum ThreadKind: Int {
    case main = 1
    case other

    private static let key = ThreadKey()

    /// The kind of the current thread.
    static var current: ThreadKind {
        if let known = ThreadKind(rawValue: key.number) { return known }
        let kind = Thread.isMainThread ? ThreadKind.main : .other
        key.number = kind.rawValue
        return kind
    }
}
