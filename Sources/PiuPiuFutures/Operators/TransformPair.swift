// Sound: the code that claimed the work of the link performs it, once at a time, and `deinit` is the last. So nothing
// else reaches `first` meanwhile, and no access to it spans a call.

/// The work of a link and a transform of its value: the work of two links of a chain in one.
@usableFromInline
final class TransformPair<Input: Sendable, Output: Sendable>: @unchecked Sendable {
    // In this order, so that work that never runs is released from the last transform to the first.

    @usableFromInline let second: @Sendable (Input) throws -> Output
    @exclusivity(unchecked) @usableFromInline var first: ResponseFuture<Input>.Transform?

    @inlinable
    init(first: @escaping ResponseFuture<Input>.Transform, second: @escaping @Sendable (Input) throws -> Output) {
        self.first = first
        self.second = second
    }

    /// The value of both; `nil` if the first has to wait for something, and can be tried again afterwards.
    @inlinable @inline(__always)
    func perform(for link: AnyResponseFuture, in context: inout WorkContext) throws -> Output? {
        guard let value = try performFirst(for: link, in: &context) else { return nil }
        try context.checkWork()
        return try second(value)
    }

    /// The value of the first, which is released with all that it captured before the second begins.
    @inlinable @inline(__always)
    func performFirst(for link: AnyResponseFuture, in context: inout WorkContext) throws -> Input? {
        guard let work = first else { throw CancellationError() }
        first = nil
        if let value = try work(link, &context) { return value }
        first = work
        return nil
    }
}
