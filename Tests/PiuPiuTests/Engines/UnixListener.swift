#if canImport(FoundationNetworking)
    import Foundation
    import Glibc
    import Testing

    /// A socket that listens at a path, for tests that play the server byte by byte.
    final class UnixListener: Sendable {
        let path: String
        private let descriptor: Int32

        init() throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).socket").path
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            let isBound = withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(isBound == 0 && listen(descriptor, 1) == 0)
            self.path = path
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        /// The next connection. It blocks its thread until there is one.
        func connection() -> LocalConnection { LocalConnection(acceptedBy: descriptor) }
    }
#endif
