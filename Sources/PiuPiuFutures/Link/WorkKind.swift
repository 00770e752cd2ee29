/// How the work of a link is done.
@usableFromInline
package enum WorkKind: UInt8, Sendable {
    /// Without a suspension, once the value of the parent, and of a future that the link makes itself, is available.
    case synchronous
    /// In a task.
    case asynchronous
    /// In a task of its own, which observes the outcome of everything above it, and its own cancellation.
    case supervising
    /// In a task, and with a run of its own, which other code may settle while the task works.
    case interruptible
    /// By other futures, whose outcomes a join observes.
    case joining
    /// By a legacy action, which settles its future from anywhere.
    case action
    /// Not at all: this is another reference to the future of some run.
    case standIn
    /// Not at all: this is the reference through which other code settles the future of some run.
    case promise

    /// Whether the work may suspend between the parent's value and its own.
    @usableFromInline
    package var maySuspend: Bool { self == .asynchronous || self == .supervising }

    /// Whether a link of this kind can be a part of the work of its only child.
    @inlinable
    package var canRunInPlace: Bool { self == .synchronous || self == .asynchronous }
}
