/// Whatever is bound to it is cancelled with it: by ``cancel()``, or when the scope goes.
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
/// When the screen goes, so does its scope, and what it has begun is cancelled. A dispatcher is bound to one as well, with
/// all its futures, by ``Dispatching/bound(to:)``: for a session, say, that signs out. The dispatcher below stays as good as
/// it was.
///
/// A scope cancels as ``AnyResponseFuture/cancel()`` does: the work and its transfer, every awaiter, and each started
/// parent that nobody else is interested in (contract rule UP); by the time ``cancel()`` has returned they say so. What
/// waits for a bound future through a child of it is cancelled with it.
///
/// Nothing but its owner keeps a scope: no future and no dispatcher that is bound to it does. That it is the last reference
/// to the scope which cancels is meant, and the same in a debug and in a release build: hold the scope as long as its
/// futures are wanted. A callback that captures the owner of the scope keeps both until it has run; capture it weakly.
///
/// It keeps no future either: one whose last callback has run, or that is gone without having been started, has left it. (A
/// future that has settled, but whose callbacks haven't been called, still belongs to it: they are called with a
/// cancellation, contract rule AFTER-CANCEL.) To come and to leave takes the same time however many there are. From any
/// thread.
///
/// Combine: a set of `AnyCancellable`, with `store(in:)`; RxSwift: `DisposeBag`, with `disposed(by:)`; Kotlin:
/// `CoroutineScope`.
public final class FutureScope: Sendable {
    let members = ScopeMembers()

    /// Makes a scope that nothing is bound to.
    public init() {}

    deinit { members.cancel(isFinal: true) }

    /// Cancels everything that is bound to the scope, and from now on what is bound to it later, at once.
    ///
    /// That is the end of the scope: for a session that signs out. ``cancelAll()`` leaves it usable.
    public func cancel() { members.cancel(isFinal: true) }

    /// Cancels everything that is bound to the scope by now, in the order in which it came. What is bound later isn't
    /// touched: for a screen that shows something else.
    ///
    /// What is bound by another thread meanwhile belongs to the one or to the other.
    public func cancelAll() { members.cancel(isFinal: false) }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { members.isCancelled }

    /// How many futures, and bodies of streams, are bound to the scope and have not ended.
    public var count: Int { members.count }
}

extension FutureScope: CustomStringConvertible, CustomReflectable {
    /// How many are bound to it: "FutureScope(7 bound)".
    public var description: String { "FutureScope(\(isCancelled ? "cancelled" : "\(count) bound"))" }

    /// Nothing but what the description tells.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
