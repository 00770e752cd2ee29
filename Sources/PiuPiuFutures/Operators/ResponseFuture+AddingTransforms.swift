/// Transforms that become a part of the work of the link before them, instead of a link of their own.
///
/// That can't be told from a link each: nothing else can ever reach the future between them (contract rule SAME).
extension ResponseFuture {
    /// Adds a transform to a future that nothing else can reach, if it has nothing but transforms, and room for one more.
    ///
    /// - Returns: the future with all of them: the same object, if it has the right type. `nil` if this is not possible.
    @inlinable @inline(never)
    static func adding<Output>(
        _ transform: @escaping @Sendable (Success) throws -> Output, to future: inout ResponseFuture<Success>
    ) -> ResponseFuture<Output>? {
        let count = future.transformCount + 1
        // In this order: other code may have changed the state before it released the last other reference.
        guard count > 1, count <= WorkContext.transformLimit, Privacy.isOnlyReference(&future),
            future.presentState == .cold, case .transform(let work) = future.takeStage()
        else { return nil }
        let both = TransformPair(first: work, second: transform)
        let transforms: ResponseFuture<Output>.Transform = { link, context in try both.perform(for: link, in: &context)
        }
        guard let link = future as? ResponseFuture<Output> else {
            return ResponseFuture<Output>(
                parent: future.takeColdParent(), transformCount: count, transform: transforms)
        }
        link.stage = .transform(transforms)
        link.transformCount = count
        link.origin = nil
        return link
    }
}

extension AnyResponseFuture {
    /// Takes the parent out of a link that nothing else can reach, and whose work has not begun.
    @usableFromInline
    final func takeColdParent() -> AnyResponseFuture? { parent.take() }
}
