import Dispatch

/// A mark on the main queue, which tells whether code runs there, whatever the compiler and the runtime take it for.
/// The thread doesn't tell: on Linux other threads than the main one may serve that queue.
@usableFromInline
enum MainQueueMark {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the current code runs on the main queue.
    @usableFromInline
    static var isHere: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
