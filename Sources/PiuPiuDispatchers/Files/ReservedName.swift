import Foundation

/// A free name in a folder, held by an empty file, so that nobody else can take it: several downloads may want one name
/// at the same time.
enum ReservedName {
    /// Makes the empty file.
    ///
    /// - Parameter existing: with `number` it has the first free name that is made of the wanted one.
    static func placeholder(
        for wanted: URL, in folder: URL, _ existing: ExistingFile
    ) throws(FileTransferError) -> WritableFile {
        var file = wanted, number = 1
        while true {
            do throws(FileTransferError) {
                return try WritableFile(file, .creating)
            } catch {
                let isTaken = (error.underlyingError as? POSIXError)?.code == .EEXIST
                guard isTaken, existing == .number else { throw error }
            }
            number += 1
            let name = numbered(wanted.lastPathComponent, number)
            file = folder.appending(path: name, directoryHint: .notDirectory)
        }
    }

    /// The name with a number before its extension. What has white space in it is none, as in "Mr. Smith".
    private static func numbered(_ name: String, _ number: Int) -> String {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        guard let dot, dot > name.startIndex, !name[dot...].contains(where: \.isWhitespace) else {
            return "\(name) \(number)"
        }
        return "\(name[..<dot]) \(number)\(name[dot...])"
    }
}
