/// Where a future was created, or what it was made for. One word.
@usableFromInline
package enum FutureOrigin: Sendable {
    /// The place of the closure that does the work: one element. The compiler makes an array of constants once for all
    /// futures of that place, so none of them allocates it.
    case code([SourcePlace])
    /// That of a future with a promise.
    case promise(PromiseOrigin)
    /// An object with a description: the request of a dispatcher's future.
    case object(any AnyObject & Sendable)

    /// Identifies the updates that are reported through the future; `nil` if its run has to (contract rule TURN).
    var source: (any AnyObject & Sendable)? {
        switch self {
        case .code: nil
        case .promise(let origin): origin
        case .object(let object): object
        }
    }

    var description: String? {
        switch self {
        case .code(let places): places.first?.description
        case .promise(let origin): origin.place.description
        case .object(let object): (object as? any CustomStringConvertible)?.description
        }
    }
}
