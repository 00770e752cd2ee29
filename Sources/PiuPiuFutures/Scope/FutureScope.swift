/// Cancels everything that is bound to it: by ``cancel()``, or when the scope is released.
///
/// ```swift
/// @MainActor final class PostsScreen {
///     private let scope = FutureScope()
///     private var posts: [Post] = []
///
///     func load() {
///         client.posts().bound(to: scope).onSuccess { [weak self] in self?.posts = $0 }.send()
///     }
/// }
/// ```
///
/// When the screen is released, so is its scope, and what it has begun is cancelled. ``Dispatching/bound(to:)`` binds a
/// dispatcher with all its futures: for a session, say, that signs out. The dispatcher below isn't affected.
///
/// A scope cancels like ``AnyResponseFuture/cancel()``: the work and its transfer, every awaiter, and each started
/// parent in which nobody else is interested (contract rule UP). When ``cancel()`` returns, all of them have the status
/// cancelled. Children of a bound future are cancelled with it.
///
/// Only its owner retains a scope; bound futures and dispatchers don't. Releasing the last reference cancels by design,
/// in debug and release builds alike: retain the scope as long as its futures are wanted. A callback that captures the
/// owner of the scope retains both until it has run; capture the owner weakly.
///
/// A scope retains no future either: a future leaves it when its last callback has run, or when it is released without
/// being started. (A settled future whose callbacks haven't been called still belongs to the scope: they are called
/// with a cancellation, contract rule AFTER-CANCEL.) Entering and leaving take constant time. From any thread.
///
/// Combine: a set of `AnyCancellable`, with `store(in:)`; RxSwift: `DisposeBag`, with `disposed(by:)`; Kotlin:
/// `CoroutineScope`.
public final class FutureScope: Sendable {
    package let members = ScopeMembers()

    /// Makes a scope that nothing is bound to.
    public init() {}

    deinit { members.cancel(isFinal: true) }

    /// Cancels everything that is bound to the scope, and at once whatever is bound to it later.
    ///
    /// That is the end of the scope: for a session that signs out. ``cancelAll()`` leaves it usable.
    public func cancel() { members.cancel(isFinal: true) }

    /// Cancels everything that is bound to the scope now.
    ///
    /// All futures get their new status first; then their transfers are cancelled, from the last to the first that was
    /// bound. So no request that waits for a place is sent in the place of a cancelled one.
    ///
    /// What is bound later isn't affected: for a screen that shows something else.
    /// What another thread binds meanwhile may or may not be cancelled.
    public func cancelAll() { members.cancel(isFinal: false) }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { members.isCancelled }

    /// How many futures are bound to the scope and have not ended, and how many bodies of streams are not read to the end.
    public var count: Int { members.count }
}

extension FutureScope: CustomStringConvertible, CustomReflectable {
    /// How many are bound to it: "FutureScope(7 bound)".
    public var description: String { "FutureScope(\(isCancelled ? "cancelled" : "\(count) bound"))" }

    /// Only what the description shows.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
