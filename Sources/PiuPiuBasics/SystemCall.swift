package import Foundation

#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Android)
    package import Android
#endif

/// Calls of the system about files.
package enum SystemCall {
    /// How many descriptors this process may have open at once.
    package static var descriptorLimit: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        // Negative without a limit.
        return limit < 0 ? .max : limit
    }

    /// Opens a file by `open(2)`. Child processes don't inherit it, as they would a file that Foundation opens on Linux.
    package static func open(_ file: URL, _ flags: Int32, permissions: mode_t = 0) throws(POSIXError) -> FileHandle {
        let descriptor = path(of: file) { path in retrying { openFile(path, flags | O_CLOEXEC, permissions) } }
        guard descriptor >= 0 else { throw lastError }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Calls with the path of a file; -1 with an error if a path can't have its characters.
    package static func path(of file: URL, _ call: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        // Sound: the path is used only within the closure, by calls that read it up to its zero and don't keep it.
        file.withUnsafeFileSystemRepresentation { path in
            guard let path else {
                errno = EINVAL
                return -1
            }
            return call(path)
        }
    }

    /// Calls again if a signal has interrupted the call.
    package static func retrying(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }

    /// The error of the last call.
    package static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

// Outside of the enumeration, whose own function would hide the system's of the same name.
private func openFile(_ path: UnsafePointer<CChar>, _ flags: Int32, _ permissions: mode_t) -> Int32 {
    open(path, flags, permissions)
}
