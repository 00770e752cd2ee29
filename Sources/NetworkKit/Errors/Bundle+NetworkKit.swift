public import Foundation

extension Bundle {
    /// The bundle with the texts of errors: the app's, wherever the module itself is.
    public static var networkKit: Bundle { .main }
}
