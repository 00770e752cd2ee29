public import Foundation
public import PiuPiu

/// A file of recorded exchanges can't be read or written.
public struct RecordingFileError: LocalizableError, Equatable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The file can't be read, for this reason.
        case unreadable(String)
        /// The file can't be written, for this reason.
        case unwritable(String)
        /// The content is no recording; the text says where and why.
        case malformed(String)
        /// The version of the format is not 1.
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

    /// The key of the kind, as "RecordingFileError.malformed": see `LocalizableError`.
    public var errorKey: String {
        switch kind {
        case .unreadable: "RecordingFileError.unreadable"
        case .unwritable: "RecordingFileError.unwritable"
        case .malformed: "RecordingFileError.malformed"
        case .unknownVersion: "RecordingFileError.unknownVersion"
        }
    }

    /// What failed, and for which file.
    public var errorDescription: String? { localizedText(text) }

    private var text: ErrorText {
        let name = file?.path(percentEncoded: false) ?? ErrorText("in memory").localized("RecordingFileError.inMemory")
        return switch kind {
        case .unreadable(let reason):
            """
            The recording \(name, as: "file") can't be read: \(reason.withoutFullStop, as: "reason"). Check that the \
            file is there.
            """
        case .unwritable(let reason):
            """
            The recording \(name, as: "file") can't be written: \(reason.withoutFullStop, as: "reason"). Check the \
            folder.
            """
        case .malformed(let reason):
            """
            The recording \(name, as: "file") is malformed: \(reason.withoutFullStop, as: "reason"). Correct it, or \
            record it again.
            """
        case .unknownVersion(let version):
            """
            The recording \(name, as: "file") has version \(version, as: "version") of the format, and this library \
            reads version \(TrafficRecording.version, as: "known"). Record it again.
            """
        }
    }
}
