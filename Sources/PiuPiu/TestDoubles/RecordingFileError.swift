public import Foundation

/// A file of recorded exchanges can't be read or written.
public struct RecordingFileError: LocalizedError, Sendable, Equatable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The file can't be read, for this reason.
        case unreadable(String)
        /// The file can't be written, for this reason.
        case unwritable(String)
        /// The content is no recording: where, and why.
        case malformed(String)
        /// The file is of another version of the format than 1.
        case unknownVersion(Int)
    }

    /// What is wrong.
    public let kind: Kind

    /// The file; `nil` for data.
    public let file: URL?

    init(_ kind: Kind, file: URL?) {
        self.kind = kind
        self.file = file
    }

    /// What failed, and for which file.
    public var errorDescription: String? {
        let name = file.map { "the recording \($0.path(percentEncoded: false))" } ?? "the recording"
        switch kind {
        case .unreadable(let reason):
            return "\(name.capitalizedStart) can't be read: \(reason.withoutFullStop). Check that the file is there."
        case .unwritable(let reason):
            return "\(name.capitalizedStart) can't be written: \(reason.withoutFullStop). Check the folder."
        case .malformed(let reason):
            return "\(name.capitalizedStart) is malformed: \(reason.withoutFullStop). Correct it, or record it again."
        case .unknownVersion(let version):
            return """
                \(name.capitalizedStart) has version \(version) of the format, and this library reads version \
                \(TrafficRecording.version). Record it again.
                """
        }
    }
}

extension String {
    /// The text with a capital at its start, and the rest as it is.
    fileprivate var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
}
