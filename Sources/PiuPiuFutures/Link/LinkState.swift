public import Synchronization

/// The state of a link: one pure value, in one atomic word.
///
/// The steps below are the only transitions; `nil` means that a step is not possible, because another one was taken
/// before.
@usableFromInline
package enum LinkState: UInt8, AtomicRepresentable, CaseIterable, Sendable {
    /// Nothing has asked for its value, and it has no run.
    case cold
    /// It has a run, and its work has not been claimed.
    case observed
    /// Its only child does its work as a part of its own; nothing else can ever reach it.
    case inPlace
    /// Its run does its work.
    case claimed
    /// Its run has settled, and its outcome can be read from the link itself.
    case remembered

    /// Gives the link a run; one that has a run keeps it.
    @usableFromInline
    package var observing: LinkState? {
        switch self {
        case .cold: .observed
        case .observed, .claimed, .remembered: self
        case .inPlace: nil
        }
    }

    /// Claims the work for the link's run.
    @usableFromInline
    package var claiming: LinkState? { self == .observed ? .claimed : nil }

    /// Claims the work for the link's only child.
    @usableFromInline
    package var claimingInPlace: LinkState? { self == .cold ? .inPlace : nil }

    /// Keeps the outcome in the link.
    @usableFromInline
    package var remembering: LinkState? { self == .claimed ? .remembered : nil }

    /// Whether the link has a run.
    @inlinable
    package var hasRun: Bool {
        switch self {
        case .cold, .inPlace: false
        case .observed, .claimed, .remembered: true
        }
    }
}
