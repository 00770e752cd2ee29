/// Whether a reference is the only way to an object, now and for ever.
///
/// That is what allows a faster way which nobody can tell from the slower one (contract rule SAME): the object has this
/// one strong reference, and no weak or unowned one from which another could be made. As nobody else can reach it, the
/// answer cannot change before the caller shares the object.
@usableFromInline
enum Privacy {
    // The counts are asked for by functions which the standard library has for debuggers: it has no others. A count is
    // one where there is no such reference; a wrong count could only choose the slower way.

    /// Whether `link` is the only reference, of any strength, to a link.
    @usableFromInline
    static func isOnlyReference(_ link: inout AnyResponseFuture?) -> Bool {
        guard isKnownUniquelyReferenced(&link), let object = link else { return false }
        return _getWeakRetainCount(object) == 1 && _getUnownedRetainCount(object) == 1
    }

    /// The same for a reference to a future of a known kind.
    @inlinable @inline(__always)
    static func isOnlyReference<Success>(_ future: inout ResponseFuture<Success>) -> Bool {
        isKnownUniquelyReferenced(&future) && isWithoutWeakReferences(future)
    }

    @usableFromInline
    static func isWithoutWeakReferences(_ object: AnyResponseFuture) -> Bool {
        _getWeakRetainCount(object) == 1 && _getUnownedRetainCount(object) == 1
    }
}
