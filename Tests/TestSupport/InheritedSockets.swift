#if canImport(Glibc)
    import Foundation
    import Glibc

    /// The sockets that an exit test's process inherits from the tests beside it. libcurl lets them be inherited, and
    /// a connection that the other process closes would stay open until this one ends.
    package enum InheritedSockets {
        /// Closes them. Call it before the process opens any of its own.
        package static func close() throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                guard let descriptor = Int32(name), descriptor > 2,
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
                    target.hasPrefix("socket:")
                else { continue }
                _ = Glibc.close(descriptor)
            }
        }
    }
#endif
