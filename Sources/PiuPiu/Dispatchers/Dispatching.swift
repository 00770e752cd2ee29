/// What dispatchers of every kind have in common: a ``DispatcherPolicy`` can be put on them.
///
/// Nothing conforms to it alone. ``DataDispatcher``, ``DownloadDispatcher``, ``UploadDispatcher`` and
/// ``StreamDispatcher`` are the four kinds, and ``RequestDispatcher`` is all of them.
@preconcurrency
public protocol Dispatching: Sendable {}

/// A dispatcher of all four kinds: data, downloads, uploads and streams.
///
/// ```swift
/// struct Library: Sendable {
///     let dispatcher: any RequestDispatcher
/// }
/// let library = Library(dispatcher: URLRequestDispatcher().retrying())
/// ```
///
/// The one name for what code is handed that sends more than one kind of request: ``URLRequestDispatcher`` is one, every
/// ``MockDispatcher``, and a `RecordingDispatcher` and a ``PolicyDispatcher`` over one. It asks for nothing of its
/// own, so that a type that conforms to the four conforms to it by saying so.
public protocol RequestDispatcher: DataDispatcher, DownloadDispatcher, UploadDispatcher, StreamDispatcher {}
