public import Foundation

extension Bundle {
    /// The bundle that the texts of errors are looked up in: that of the app, wherever the module itself is.
    public static var networkKit: Bundle { .main }
}
