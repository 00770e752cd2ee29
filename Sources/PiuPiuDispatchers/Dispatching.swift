/// The common base of all kinds of dispatchers: a ``DispatcherPolicy`` can wrap them.
///
/// No type conforms only to it. ``DataDispatcher``, ``DownloadDispatcher``, ``UploadDispatcher`` and
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
/// Use it for code that sends more than one kind of request. ``URLRequestDispatcher`` and every ``MockDispatcher``
/// conform, and so do a `RecordingDispatcher` and a ``PolicyDispatcher`` over one. It adds no requirements: a type that
/// conforms to the four only has to declare it.
public protocol RequestDispatcher: DataDispatcher, DownloadDispatcher, UploadDispatcher, StreamDispatcher {}
