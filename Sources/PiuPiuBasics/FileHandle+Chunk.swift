package import Foundation

extension FileHandle {
    /// The next bytes of a file, at most `count`; empty or `nil` at its end.
    ///
    /// On Apple platforms `read(upToCount:)` also leaves the bytes to the autorelease pool of its thread. A job of a
    /// queue or of a task has no pool of its own, so a loop that reads a file would keep all of it in memory.
    package func chunk(upToCount count: Int) throws -> Data? {
        #if canImport(Darwin)
            try autoreleasepool { try read(upToCount: count) }
        #else
            try read(upToCount: count)
        #endif
    }
}
