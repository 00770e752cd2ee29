public import Foundation

/// Where the texts of the package's errors come from: a table of the app, or its own function.
///
/// The English texts are the fallback. A table named `PiuPiu` in the main bundle needs no setup (`PiuPiu.strings` or
/// `PiuPiu.xcstrings`):
///
/// ```
/// "TransferError.timedOut" = "Forespørgslen til {url} tog for lang tid.";
/// "TransferError.timedOut.advice" = "Prøv igen.";
/// ```
///
/// For the table of another bundle, or none at all, install a localization when the app is launched:
///
/// ```swift
/// ErrorLocalization(bundle: .module).install()
/// ```
///
/// A key is the ``LocalizableError/errorKey`` of an error for its description, with the suffix `.reason` or `.advice`
/// for `failureReason` and `recoverySuggestion`. Names in braces are replaced by values of the error: `{url}`,
/// `{status}` and so on. All keys are listed in <doc:LocalizingErrors>.
///
/// A text is made each time it is read, on the reading thread. The function is called there, and may be called on
/// several threads at once.
public struct ErrorLocalization: Sendable {
    /// The texts of the package itself, in English.
    public static let english = ErrorLocalization { _, english in english }

    /// The table `PiuPiu` of the main bundle: the default, unless another localization is installed.
    public static let mainBundle = ErrorLocalization(bundle: .main)

    /// The localization for a task and its children, as for one request of a server; it overrides the installed one.
    ///
    /// ```swift
    /// ErrorLocalization.$ofTask.withValue(danish) { show(error.localizedDescription) }
    /// ```
    @TaskLocal public static var ofTask: ErrorLocalization?

    private static let installed = Locked(mainBundle)

    /// The localization in use here: that of the task, or else the installed one.
    public static var current: ErrorLocalization { ofTask ?? installed.withLock { $0 } }

    private let lookUp: @Sendable (_ key: String, _ english: String) -> String

    /// Takes texts from a function.
    ///
    /// - Parameter text: gets a key and the English text, both with the names of values in braces, and returns the text
    ///   to show; the English one where there is no other.
    public init(_ text: @escaping @Sendable (_ key: String, _ english: String) -> String) {
        lookUp = text
    }

    /// Takes texts from a table of a bundle, in the language that the bundle prefers.
    public init(bundle: Bundle, table: String = "PiuPiu") {
        self.init { key, english in bundle.localizedString(forKey: key, value: english, table: table) }
    }

    /// Makes this the localization of the whole process; it replaces the previous one.
    public func install() {
        // The former one may have the last reference to something whose deinit reads a text.
        Self.installed.release { installed in
            let former = installed
            installed = self
            return former
        }
    }

    package func text(_ key: String, _ english: String) -> String {
        lookUp(key, english)
    }
}
