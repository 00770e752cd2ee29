#if canImport(CPiuPiuCurl)
    import CPiuPiuCurl
    import Foundation

    /// A file in memory, for options that libcurl takes by path and that must not be on a disk.
    final class CurlMemoryFile: Sendable {
        private let descriptor: Int32

        /// Makes a file with these bytes; `nil` without memory or descriptors.
        init?(_ content: Data) {
            descriptor = memfd_create("PiuPiu", Self.closeOnExec)
            guard descriptor >= 0 else { return nil }
            do {
                try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: content)
            } catch {
                return nil
            }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// The path for this process.
        var path: String { "/proc/self/fd/\(descriptor)" }

        /// MFD_CLOEXEC, which Swift's module also leaves out.
        private static let closeOnExec: UInt32 = 1
    }
#endif
