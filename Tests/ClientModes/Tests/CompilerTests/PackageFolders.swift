import Foundation

/// The folders of the sources that the tests read.
enum PackageFolders {
    /// `Tests/ClientModes`.
    static let clientModes = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The root package.
    static let root = clientModes.deletingLastPathComponent().deletingLastPathComponent()
}
