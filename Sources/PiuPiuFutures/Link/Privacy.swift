/// Whether a reference is the only one to an object, and will stay so.
///
/// If so, a faster way is possible that can't be told from the slower one (contract rule SAME). The object has this one
/// strong reference, and no weak or unowned one to make another from. Nothing else can reach it, so the answer cannot
/// change before the caller shares the object.
@usableFromInline
enum Privacy {
    // The only functions for these counts are those that the standard library has for debuggers. A count is one where
    // there is no such reference; a wrong count could only choose the slower way.

    /// Whether `link` is the only reference, of any strength, to a link.
    @usableFromInline
    static func isOnlyReference(_ link: inout AnyResponseFuture?) -> Bool {
        guard isKnownUniquelyReferenced(&link), let object = link else { return false }
        return _getWeakRetainCount(object) == 1 && _getUnownedRetainCount(object) == 1
    }

    /// The same for a reference to a future of a known type.
    @inlinable @inline(__always)
    static func isOnlyReference<Success>(_ future: inout ResponseFuture<Success>) -> Bool {
        isKnownUniquelyReferenced(&future) && isWithoutWeakReferences(future)
    }

    @usableFromInline
    static func isWithoutWeakReferences(_ object: AnyResponseFuture) -> Bool {
        _getWeakRetainCount(object) == 1 && _getUnownedRetainCount(object) == 1
    }
}
